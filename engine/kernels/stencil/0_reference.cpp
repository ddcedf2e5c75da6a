#include "engine/kernels/stencil/ladder.hpp"

#include <algorithm>

namespace gradus::stencil {

/// y[i] = x[i − radius] + … + x[i + radius], with zeros beyond both ends; x, y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n"), radius = problem.at("radius");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) {
        y[i] = 0;
        for (std::int64_t j = std::max<std::int64_t>(0, i - radius); j <= std::min(n - 1, i + radius); ++j) y[i] += x[j];
    }
}

} // namespace gradus::stencil
