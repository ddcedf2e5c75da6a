#include "engine/kernels/activation_sigmoid_backward/ladder.hpp"

#include <cmath>

namespace gradus::activation_sigmoid_backward {

/// dx = dy · y · (1 − y): the gradient of y = σ(x) = 1 / (1 + e^−x).
/// dy, x (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) {
        const double y = 1 / (1 + std::exp(-x[i]));
        dx[i] = dy[i] * y * (1 - y);
    }
}

} // namespace gradus::activation_sigmoid_backward
