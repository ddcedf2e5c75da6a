#include "engine/kernels/transpose_padding/ladder.hpp"

#include "engine/kernels/transpose/ladder.hpp"

namespace gradus::transpose_padding {

/// y[c][r] = x[r][c]; x (rows, columns) -> y (columns, rows). Padding changes nothing that is computed.
void reference(const Problem& problem, KernelValues& values) { transpose::reference(problem, values); }

} // namespace gradus::transpose_padding
