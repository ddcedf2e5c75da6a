#include "engine/kernels/activation_tanh_backward/ladder.hpp"

#include <cmath>

namespace gradus::activation_tanh_backward {

/// dx = dy · (1 − y²): the gradient of y = tanh x.
/// dy, x (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) {
        const double y = std::tanh(x[i]);
        dx[i] = dy[i] * (1 - y * y);
    }
}

} // namespace gradus::activation_tanh_backward
