#include "engine/kernels/prefix_scan/ladder.hpp"

namespace gradus::prefix_scan {

/// y[i] = x[0] + … + x[i]; x, y (n). As a loop: y[i] = y[i − 1] + x[i], where each turn needs the one before.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) y[i] = sum += x[i];
}

} // namespace gradus::prefix_scan
