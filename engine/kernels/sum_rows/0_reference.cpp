#include "engine/kernels/sum_rows/ladder.hpp"

namespace gradus::sum_rows {

/// y[c] = Σ_r x[r][c]. x (rows, columns) -> y (columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t c = 0; c < columns; ++c) {
        y[c] = 0;
        for (std::int64_t r = 0; r < rows; ++r) y[c] += x[r * columns + c];
    }
}

} // namespace gradus::sum_rows
