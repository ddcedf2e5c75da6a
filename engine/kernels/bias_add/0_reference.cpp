#include "engine/kernels/bias_add/ladder.hpp"

namespace gradus::bias_add {

/// y[r][c] = x[r][c] + b[c]. x (rows, columns), b (columns) -> y (rows, columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&x = values.at("x"), &b = values.at("b");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = x[r * columns + c] + b[c];
}

} // namespace gradus::bias_add
