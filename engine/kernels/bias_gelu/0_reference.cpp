#include "engine/kernels/bias_gelu/ladder.hpp"

#include <cmath>
#include <numbers>

namespace gradus::bias_gelu {

/// y[r][c] = z · Φ(z), z = x[r][c] + b[c], Φ(z) = ½ · erfc(−z / √2). x (rows, columns), b (columns) -> y (rows, columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&x = values.at("x"), &b = values.at("b");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            const double z = x[r * columns + c] + b[c];
            y[r * columns + c] = z * std::erfc(-z / std::numbers::sqrt2) / 2;
        }
}

} // namespace gradus::bias_gelu
