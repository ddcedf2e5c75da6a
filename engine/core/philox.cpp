#include "engine/core/philox.hpp"

#include "engine/core/portable_math.hpp"

#include <cmath>
#include <numbers>

namespace gradus {

std::pair<double, double> Philox::normal_pair(std::uint64_t i) const {
    // sqrt is exact everywhere; log, sin and cos are ours, so that every machine draws the same points.
    const double radius = std::sqrt(-2.0 * portable::log(1.0 - uniform(2 * i)));
    double sine, cosine;
    portable::sin_cos(2.0 * std::numbers::pi * uniform(2 * i + 1), sine, cosine);
    return {radius * cosine, radius * sine};
}

} // namespace gradus
