#include "engine/kernels/activation_silu_backward/ladder.hpp"

#include <cmath>

namespace gradus::activation_silu_backward {

/// dx = dy · s · (1 + x · (1 − s)): the gradient of y = x · s, s = σ(x) = 1 / (1 + e^−x).
/// dy, x (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) {
        const double s = 1 / (1 + std::exp(-x[i]));
        dx[i] = dy[i] * s * (1 + x[i] * (1 - s));
    }
}

} // namespace gradus::activation_silu_backward
