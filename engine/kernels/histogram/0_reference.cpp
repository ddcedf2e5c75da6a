#include "engine/kernels/histogram/ladder.hpp"

namespace gradus::histogram {

/// bins[b] = how many x[i] are b; x (n) bytes, bins (256).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& bins = values.at("bins");
    bins.assign(256, 0.0);
    for (std::int64_t i = 0; i < n; ++i) ++bins[static_cast<std::size_t>(x[i])];
}

} // namespace gradus::histogram
