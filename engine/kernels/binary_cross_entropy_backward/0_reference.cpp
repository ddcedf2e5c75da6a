#include "engine/kernels/binary_cross_entropy_backward/ladder.hpp"

namespace gradus::binary_cross_entropy_backward {

/// dz[i] = (p[i] − y[i]) / n. p, y (n) -> dz (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&p = values.at("p"), &y = values.at("y");
    std::vector<double>& dz = values.at("dz");
    for (std::int64_t i = 0; i < n; ++i) dz[i] = (p[i] - y[i]) / static_cast<double>(n);
}

} // namespace gradus::binary_cross_entropy_backward
