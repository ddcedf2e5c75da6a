#include "engine/kernels/activation_gelu/ladder.hpp"

#include <cmath>
#include <numbers>

namespace gradus::activation_gelu {

/// y = x · Φ(x), Φ(x) = ½ · erfc(−x / √2). x (n) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] * std::erfc(-x[i] / std::numbers::sqrt2) / 2;
}

} // namespace gradus::activation_gelu
