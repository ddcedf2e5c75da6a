#include "engine/kernels/activation_step_backward/ladder.hpp"

namespace gradus::activation_step_backward {

/// dx = 0. y, dy (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&y = values.at("y"), &dy = values.at("dy");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) dx[i] = 0 * (y[i] + dy[i]);
}

} // namespace gradus::activation_step_backward
