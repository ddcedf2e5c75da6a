#include "engine/kernels/activation_gelu_tanh_backward/ladder.hpp"

#include <cmath>
#include <numbers>

namespace gradus::activation_gelu_tanh_backward {

/// dx = dy · (s + x · s · (1 − s) · d(2u)/dx): the gradient of y = x · s, s = 1 / (1 + e^−2u), u = √(2/π) · (x + 0.044715 x³).
/// dy, x (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) {
        const double root = std::sqrt(8 / std::numbers::pi);
        const double s = 1 / (1 + std::exp(-root * (x[i] + 0.044715 * x[i] * x[i] * x[i])));
        const double slope = root * (1 + 3 * 0.044715 * x[i] * x[i]);
        dx[i] = dy[i] * (s + x[i] * s * (1 - s) * slope);
    }
}

} // namespace gradus::activation_gelu_tanh_backward
