#include "engine/core/philox.hpp"

#include "engine/core/portable_math.hpp"

#include <cmath>
#include <numbers>

namespace gradus {

double Philox::normal(std::uint64_t i) const {
    // sqrt is exact everywhere; log, sin and cos are ours, so that every machine draws the same points.
    const double radius = std::sqrt(-2.0 * portable::log(1.0 - uniform(i / 2 * 2)));
    double sine, cosine;
    portable::sin_cos(2.0 * std::numbers::pi * uniform(i / 2 * 2 + 1), sine, cosine);
    return radius * (i % 2 == 0 ? cosine : sine);
}

} // namespace gradus
