#include "engine/kernels/mean_squared_error/ladder.hpp"

namespace gradus::mean_squared_error {

/// L = 1/n · Σ_i (z[i] − y[i])². z, y (n) -> L (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&z = values.at("z"), &y = values.at("y");
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += (z[i] - y[i]) * (z[i] - y[i]);
    values.at("L")[0] = sum / static_cast<double>(n);
}

} // namespace gradus::mean_squared_error
