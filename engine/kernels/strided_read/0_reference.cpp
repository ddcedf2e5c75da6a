#include "engine/kernels/strided_read/ladder.hpp"

namespace gradus::strided_read {

/// y[i] = x[i · stride + offset]. x (n · stride + offset) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n"), stride = problem.at("stride"), offset = problem.at("offset");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i * stride + offset];
}

} // namespace gradus::strided_read
