#include "engine/kernels/activation_relu_backward/ladder.hpp"

namespace gradus::activation_relu_backward {

/// dx = dy where x > 0, else 0: the gradient of y = max(0, x).
/// dy, x (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) dx[i] = x[i] <= 0 ? 0 : dy[i];
}

} // namespace gradus::activation_relu_backward
