#include "engine/kernels/rope_half_split/ladder.hpp"

#include <cmath>

namespace gradus::rope_half_split {

/// Turns the pair (x[i], x[i + D / 2]) of each row of D elements by the angle t · base^(−2i / D), t the row's place in time.
/// x (T, H, D) -> y (T, H, D), D even.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t T = problem.at("T"), H = problem.at("H"), D = problem.at("D");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t row = 0; row < T * H; ++row)
        for (std::int64_t i = 0; i < D / 2; ++i) {
            const auto t = static_cast<double>(row / H);
            const double angle = t * std::pow(static_cast<double>(base), -2. * static_cast<double>(i) / static_cast<double>(D));
            const std::int64_t a = row * D + i, b = row * D + i + D / 2;
            y[a] = x[a] * std::cos(angle) - x[b] * std::sin(angle);
            y[b] = x[a] * std::sin(angle) + x[b] * std::cos(angle);
        }
}

} // namespace gradus::rope_half_split
