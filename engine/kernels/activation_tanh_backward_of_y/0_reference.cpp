#include "engine/kernels/activation_tanh_backward_of_y/ladder.hpp"

namespace gradus::activation_tanh_backward_of_y {

/// dx = dy · (1 − y²). y, dy (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&y = values.at("y"), &dy = values.at("dy");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) dx[i] = dy[i] * (1 - y[i] * y[i]);
}

} // namespace gradus::activation_tanh_backward_of_y
