#pragma once

#include <cstdint>

namespace gradus {

/// A point in time in ticks of the cheapest clock there is: the time-stamp counter where it runs at a
/// constant rate, else nanoseconds of the steady clock. Convert with ClockScale.
using Ticks = std::uint64_t;

#if defined(__x86_64__)
inline Ticks now_ticks() { return __builtin_ia32_rdtsc(); } // nearly all includes this; <x86intrin.h> takes a second to read
#else
Ticks now_ticks();
#endif

/// How ticks become nanoseconds: unix_ns = origin_unix_ns + (ticks - origin_ticks) · ns_per_tick.
/// Kept in every Run, since it belongs to the machine that wrote it.
struct ClockScale {
    Ticks origin_ticks = 0;
    std::int64_t origin_unix_ns = 0;
    double ns_per_tick = 1.0;

    std::int64_t unix_ns(Ticks ticks) const {
        return origin_unix_ns + static_cast<std::int64_t>(
                                    static_cast<double>(static_cast<std::int64_t>(ticks - origin_ticks)) * ns_per_tick);
    }
    double seconds(Ticks from, Ticks until) const {
        return static_cast<double>(static_cast<std::int64_t>(until - from)) * ns_per_tick * 1e-9;
    }
};

/// This machine's scale, calibrated against the steady clock on first use (about 10 ms) and then anchored to now.
ClockScale calibrated_clock();

/// Nanoseconds since 1970 by the system's clock.
std::int64_t unix_time_ns();

} // namespace gradus
