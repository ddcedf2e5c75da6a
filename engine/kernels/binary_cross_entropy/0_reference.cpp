#include "engine/kernels/binary_cross_entropy/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::binary_cross_entropy {

/// p = 1 / (1 + e^−z), L = 1/n · Σ_i (max(z[i], 0) − z[i] · y[i] + ln(1 + e^−|z[i]|)). z, y (n) -> p (n), L (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&z = values.at("z"), &y = values.at("y");
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        values.at("p")[i] = 1 / (1 + std::exp(-z[i]));
        sum += std::max(z[i], 0.0) - z[i] * y[i] + std::log1p(std::exp(-std::abs(z[i])));
    }
    values.at("L")[0] = sum / static_cast<double>(n);
}

} // namespace gradus::binary_cross_entropy
