#include "engine/kernels/sum_columns/ladder.hpp"

namespace gradus::sum_columns {

/// y[r] = Σ_c x[r][c]. x (rows, columns) -> y (rows).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r) {
        y[r] = 0;
        for (std::int64_t c = 0; c < columns; ++c) y[r] += x[r * columns + c];
    }
}

} // namespace gradus::sum_columns
