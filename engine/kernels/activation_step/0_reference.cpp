#include "engine/kernels/activation_step/ladder.hpp"

namespace gradus::activation_step {

/// y = 1 where x > 0, else 0. x (n) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] > 0 ? 1 : 0;
}

} // namespace gradus::activation_step
