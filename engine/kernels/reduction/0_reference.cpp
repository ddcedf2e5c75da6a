#include "engine/kernels/reduction/ladder.hpp"

namespace gradus::reduction {

/// y[0] = x[0] + x[1] + … + x[n − 1]; x (n), y (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i];
    values.at("y")[0] = sum;
}

} // namespace gradus::reduction
