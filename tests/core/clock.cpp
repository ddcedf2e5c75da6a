#include "engine/core/clock.hpp"

#include "engine/core/log.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

using namespace gradus;
using namespace gradus::test;

TEST(clock_agrees_with_the_steady_clock) {
    const ClockScale scale = calibrated_clock();
    CHECK(scale.ns_per_tick > 0.01 && scale.ns_per_tick < 100, shown(scale.ns_per_tick));
    // The reading of two clocks can be interrupted between them, so the best of some tries counts.
    double best = 1;
    for (int attempt = 0; attempt < 5 && best > 0.01; ++attempt) {
        const auto start = std::chrono::steady_clock::now();
        const Ticks first = now_ticks();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const auto end = std::chrono::steady_clock::now();
        const Ticks last = now_ticks();
        const double wanted = std::chrono::duration<double>(end - start).count();
        best = std::min(best, std::abs(scale.seconds(first, last) - wanted) / wanted);
    }
    CHECK_ERROR(best, 0.01, "seconds between two ticks");
}

TEST(clock_is_anchored_to_now) {
    const ClockScale scale = calibrated_clock();
    CHECK_ERROR(std::abs(static_cast<double>(scale.unix_ns(now_ticks()) - unix_time_ns())), 50e6, "ns from now");
    CHECK(unix_time_ns() > 1'600'000'000'000'000'000); // since September 2020
}

TEST(clock_scale_converts) {
    const ClockScale scale{1000, 5'000'000'000, 0.5};
    CHECK_EQUAL(scale.unix_ns(1000), 5'000'000'000);
    CHECK_EQUAL(scale.unix_ns(1000 + 2'000'000'000), 6'000'000'000);
    CHECK_EQUAL(scale.unix_ns(0), 5'000'000'000 - 500); // before the origin
    CHECK_EQUAL(scale.seconds(1000, 2'000'001'000), 1.0);
    CHECK_EQUAL(scale.seconds(2'000'001'000, 1000), -1.0);
}

namespace {
int messages = 0;
}
TEST(log_is_quiet_until_somebody_listens) {
    log(LogLevel::warning, "nobody hears this");
    set_log_callback([](LogLevel level, std::string_view message) { messages += level == LogLevel::info && message == "x"; });
    log(LogLevel::info, "x");
    set_log_callback(nullptr);
    log(LogLevel::info, "x");
    CHECK_EQUAL(messages, 1);
}
