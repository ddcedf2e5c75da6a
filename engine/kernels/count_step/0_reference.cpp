#include "engine/kernels/count_step/ladder.hpp"

namespace gradus::count_step {

/// t' = t + 1.
void reference(const Problem&, KernelValues& values) { values.at("t_next")[0] = values.at("t")[0] + 1; }

} // namespace gradus::count_step
