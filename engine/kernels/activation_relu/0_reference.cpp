#include "engine/kernels/activation_relu/ladder.hpp"

namespace gradus::activation_relu {

/// y = max(0, x). x (n) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

} // namespace gradus::activation_relu
