#include "lessons/runtime/observation_pacer.hpp"
#include "tests/support/check.hpp"

#include <vector>

using namespace gradus;

namespace {

/// Trains for `seconds` at 1 ms an iteration, with a reader that asks all the time; `extra` is what an observation costs
/// in all, a third in its iteration and in each of the two after it, of one observation after another and from the front
/// again. Every so many iterations one also takes the loss of the data set that is kept apart, 30 ms. How much longer all
/// took than without the reader, as a share.
double slowdown(const std::vector<double>& extra, double seconds, int evaluate_every = 0) {
    constexpr double tick = 1e-9, usual = 1e-3;
    ObservationPacer pacer(tick);
    Ticks now = 1000;
    double trained = 0, spent = 0;
    std::size_t observations = 0;
    int since = 3;
    pacer.resume();
    for (int iteration = 1; trained < seconds; ++iteration) {
        const bool observed = pacer.due(now), evaluates = evaluate_every && iteration % evaluate_every == 0;
        if (observed) {
            ++observations;
            since = 0;
        } else ++since;
        const double own = usual + (evaluates ? 30e-3 : 0);
        const double more = since < 3 ? extra[(observations - 1) % extra.size()] / 3 : 0;
        const Ticks end = now + static_cast<Ticks>((own + more) / tick);
        pacer.ran(observed, now, end);
        now = end;
        trained += own;
        spent += more;
    }
    return spent / trained;
}

bool holds_its_share(double slowdown) {
    return slowdown > 0.5 * ObservationPacer::share && slowdown < 1.3 * ObservationPacer::share;
}

} // namespace

TEST(observing_takes_its_share_of_training_and_no_more) {
    for (const double extra : {0.6e-3, 1e-3, 3e-3}) CHECK(holds_its_share(slowdown({extra}, 60)));
    CHECK(slowdown({0.05e-3}, 60) < 0.2 * ObservationPacer::share); // cheap ones are not made frequent by noise
}

TEST(observations_that_must_wait_for_memory_are_paid_for) {
    CHECK(holds_its_share(slowdown({0.6e-3, 0.6e-3, 5.5e-3}, 60)));
    CHECK(holds_its_share(slowdown({0.6e-3, 0.6e-3, 0.6e-3, 0.6e-3, 0.6e-3, 0.6e-3, 0.6e-3, 5.9e-3}, 60)));
}

TEST(an_iteration_that_also_evaluates_does_not_pass_for_a_usual_one) {
    for (const double extra : {0.6e-3, 1e-3, 3e-3}) CHECK(holds_its_share(slowdown({extra}, 60, 211)));
}

TEST(a_reader_is_served_at_least_once_a_second) {
    ObservationPacer pacer(1e-9);
    Ticks now = 0;
    for (int i = 0; i < 100; ++i, now += 10'000'000) pacer.ran(false, now, now + 10'000'000);
    pacer.ran(true, now, now + 900'000'000);
    pacer.ran(false, now + 900'000'000, now + 910'000'000);
    pacer.ran(true, now + 910'000'000, now + 1'810'000'000);
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
