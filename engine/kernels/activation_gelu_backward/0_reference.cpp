#include "engine/kernels/activation_gelu_backward/ladder.hpp"

#include <cmath>
#include <numbers>

namespace gradus::activation_gelu_backward {

/// dx = dy · (Φ(x) + x · φ(x)): the gradient of y = x · Φ(x), with the normal distribution's Φ(x) = ½ · erfc(−x / √2) and its density
/// φ(x) = e^(−x²/2) / √(2π).
/// dy, x (n) -> dx (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>& dx = values.at("dx");
    for (std::int64_t i = 0; i < n; ++i) {
        const double below = std::erfc(-x[i] / std::numbers::sqrt2) / 2;
        const double density = std::exp(-x[i] * x[i] / 2) / std::sqrt(2 * std::numbers::pi);
        dx[i] = dy[i] * (below + x[i] * density);
    }
}

} // namespace gradus::activation_gelu_backward
