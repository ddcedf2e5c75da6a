#include "engine/kernels/misaligned_copy/ladder.hpp"

namespace gradus::misaligned_copy {

/// y[i] = x[i]; x, y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i];
}

} // namespace gradus::misaligned_copy
