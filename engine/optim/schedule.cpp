#include "engine/optim/schedule.hpp"

#include "engine/core/error.hpp"
#include "engine/core/portable_math.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

void check(const Schedule& s, std::int64_t step) {
    if (step < 0) throw ArgumentError(fmt::format("a schedule counts steps from 0, not {}", step));
    if (s.warmup_steps < 0) throw ArgumentError(fmt::format("a warm-up of {} steps has no meaning", s.warmup_steps));
    if (s.kind == Schedule::Kind::step && s.step_size < 1)
        throw ArgumentError(fmt::format("a schedule cannot drop every {} steps", s.step_size));
    if (s.kind == Schedule::Kind::cosine && s.total_steps <= s.warmup_steps)
        throw ArgumentError(
            fmt::format("a cosine schedule of {} steps ends within its warm-up of {}", s.total_steps, s.warmup_steps));
}

/// base^exponent by squaring.
double whole_power(double base, std::int64_t exponent) {
    double out = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1) out *= base;
    return out;
}

} // namespace

double factor_at(const Schedule& s, std::int64_t step) {
    check(s, step);
    if (step < s.warmup_steps) return static_cast<double>(step + 1) / static_cast<double>(s.warmup_steps);
    const std::int64_t since = step - s.warmup_steps;
    switch (s.kind) {
    case Schedule::Kind::constant: return 1;
    case Schedule::Kind::step: return whole_power(s.gamma, since / s.step_size);
    case Schedule::Kind::cosine: {
        const std::int64_t length = s.total_steps - s.warmup_steps;
        if (since >= length) return s.final_share;
        double sine = 0, cosine = 0; // not <cmath>'s, whose last bits differ between machines
        portable::sin_cos(3.14159265358979323846 * static_cast<double>(since) / static_cast<double>(length), sine, cosine);
        return s.final_share + (1 - s.final_share) * 0.5 * (1 + cosine);
    }
    }
    return 1;
}

} // namespace gradus
