#include "engine/kernels/mean_squared_error_backward/ladder.hpp"

namespace gradus::mean_squared_error_backward {

/// dz[i] = 2 · (z[i] − y[i]) / n. z, y (n) -> dz (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&z = values.at("z"), &y = values.at("y");
    std::vector<double>& dz = values.at("dz");
    for (std::int64_t i = 0; i < n; ++i) dz[i] = 2 * (z[i] - y[i]) / static_cast<double>(n);
}

} // namespace gradus::mean_squared_error_backward
