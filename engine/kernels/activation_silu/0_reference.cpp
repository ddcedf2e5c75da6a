#include "engine/kernels/activation_silu/ladder.hpp"

#include <cmath>

namespace gradus::activation_silu {

/// y = x · σ(x) = x / (1 + e^−x). x (n) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] / (1 + std::exp(-x[i]));
}

} // namespace gradus::activation_silu
