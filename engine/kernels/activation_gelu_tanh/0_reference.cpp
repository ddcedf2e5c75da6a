#include "engine/kernels/activation_gelu_tanh/ladder.hpp"

#include <cmath>
#include <numbers>

namespace gradus::activation_gelu_tanh {

/// y = x / 2 · (1 + tanh u), u = √(2/π) · (x + 0.044715 x³). x (n) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) {
        const double u = std::sqrt(2 / std::numbers::pi) * (x[i] + 0.044715 * x[i] * x[i] * x[i]);
        y[i] = x[i] / (1 + std::exp(-2 * u));
    }
}

} // namespace gradus::activation_gelu_tanh
