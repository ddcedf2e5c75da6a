#include "engine/core/clock.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace gradus {

#if !defined(__x86_64__)
Ticks now_ticks() {
    return static_cast<Ticks>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}
#endif

std::int64_t unix_time_ns() {
    return std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

namespace {

/// Median of short calibrations, so that one interruption of this thread does not bend the scale.
double measured_ns_per_tick() {
    using std::chrono::steady_clock;
    double samples[5];
    for (double& sample : samples) {
        const auto start = steady_clock::now();
        const Ticks first = now_ticks();
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // asleep: the start of the program is busy enough
        const auto end = steady_clock::now();
        const Ticks last = now_ticks();
        sample = static_cast<double>((end - start) / std::chrono::nanoseconds(1)) / static_cast<double>(last - first);
    }
    std::sort(std::begin(samples), std::end(samples));
    return samples[2];
}

} // namespace

ClockScale calibrated_clock() {
    static const double ns_per_tick = measured_ns_per_tick();
    ClockScale scale;
    scale.origin_ticks = now_ticks();
    scale.origin_unix_ns = unix_time_ns();
    scale.ns_per_tick = ns_per_tick;
    return scale;
}

} // namespace gradus
