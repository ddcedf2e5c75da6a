#include "lessons/runtime/observation_pacer.hpp"
#include "tests/support/check.hpp"

using namespace gradus;

namespace {

/// Trains for `seconds` at 1 ms an iteration, with a reader that asks all the time; `extra` is what observing costs.
/// How much longer it took than without the reader, as a share.
double slowdown(double extra, double seconds) {
    constexpr double tick = 1e-9, usual = 1e-3;
    ObservationPacer pacer(tick);
    Ticks now = 1000;
    double trained = 0, spent = 0;
    pacer.resume();
    while (trained < seconds) {
        const bool observed = pacer.due(now);
        const Ticks end = now + static_cast<Ticks>((usual + (observed ? extra : 0)) / tick);
        pacer.ran(observed, now, end);
        now = end;
        trained += usual;
        if (observed) spent += extra;
    }
    return spent / trained;
}

} // namespace

TEST(observing_takes_its_share_of_training_and_no_more) {
    for (const double extra : {0.6e-3, 1e-3, 3e-3}) {
        const double share = slowdown(extra, 60);
        CHECK(share > 0.5 * ObservationPacer::share);
        CHECK(share < 1.3 * ObservationPacer::share);
    }
    CHECK(slowdown(0.05e-3, 60) < 0.2 * ObservationPacer::share); // cheap ones are not made frequent by noise
}

TEST(a_reader_is_served_at_least_once_a_second) {
    ObservationPacer pacer(1e-9);
    Ticks now = 0;
    for (int i = 0; i < 100; ++i, now += 10'000'000) pacer.ran(false, now, now + 10'000'000);
    pacer.ran(true, now, now + 900'000'000);
    pacer.ran(false, now + 900'000'000, now + 910'000'000);
    pacer.ran(true, now + 910'000'000, now + 1'810'000'000);
    CHECK(pacer.pause() <= ObservationPacer::longest);
    CHECK(!pacer.due(now + 1'820'000'000));
    CHECK(pacer.due(now + 2'820'000'000));
}

TEST(after_a_pause_the_next_iteration_is_observed) {
    ObservationPacer pacer(1e-9);
    pacer.ran(false, 0, 1'000'000);
    pacer.ran(true, 1'000'000, 9'000'000);
    pacer.ran(false, 9'000'000, 10'000'000);
    pacer.ran(true, 10'000'000, 19'000'000);
    CHECK(!pacer.due(20'000'000));
    pacer.resume();
    CHECK(pacer.due(20'000'000));
}
