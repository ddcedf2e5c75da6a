#include "engine/kernels/transpose/ladder.hpp"

namespace gradus::transpose {

/// y[c][r] = x[r][c]; x (rows, columns) -> y (columns, rows).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) y[c * rows + r] = x[r * columns + c];
}

} // namespace gradus::transpose
