#include "engine/trace/derive/site_times.hpp"
#include "engine/trace/derive/step_plan.hpp"
#include "engine/trace/run_writer.hpp"
#include "tests/support/check.hpp"
#include "tests/trace/recorded.hpp"

#include <cmath>

using namespace gradus;
using namespace gradus::test;

namespace {

const Parameters small{{"data", "blobs"}, {"layers", "2,5,3"}, {"batch", "16"}};

/// A Run whose iteration holds one op, "op"; an iteration's op takes as many nanoseconds as told.
std::shared_ptr<Run> timed_run(StepIndex from, std::shared_ptr<const Run> parent, const std::vector<int>& nanoseconds,
                               RunBudget budget = {}) {
    Manifest manifest;
    manifest.fork_iteration = from;
    auto run = std::make_shared<Run>(manifest, std::vector<SeriesInfo>{}, std::move(parent), budget);
    RunWriter writer(run);
    EventSite site;
    site.level = Level::iteration;
    site.path = site.name = "iteration";
    site.ordinal = 0;
    writer.add_site(site);
    site.level = Level::op;
    site.path = site.name = "op";
    site.ordinal = 1;
    site.parent = 0;
    writer.add_site(site);
    std::size_t events = 0;
    Ticks now = 1000;
    for (const int length : nanoseconds) {
        const auto end = now + static_cast<Ticks>(length);
        writer.append_event({1, 1, now, end});
        writer.append_event({0, 0, now, end + 10});
        writer.append_observed({from++, events, 2});
        writer.append_iteration_end(end + 10);
        events += 2;
        now = end + 20;
    }
    return run;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(b); }

} // namespace

TEST(a_plan_is_the_tree_of_an_iteration) {
    Recording r(small, 10, {});
    r.iterate(true);
    const StepPlan plan = step_plan(*r.run);
    REQUIRE(plan.iteration >= 0);
    CHECK(plan.phases().size() >= 3);
    auto events = r.run->events_of(0);
    std::erase_if(events, [&](const EventRecord& event) { // what follows the iteration is not in its plan
        return r.run->sites()[static_cast<std::size_t>(event.site)].ordinal < 0;
    });
    for (const EventRecord& event : events) {
        CHECK(plan.has(event.ordinal), std::to_string(event.ordinal));
        CHECK_EQUAL(plan.site[static_cast<std::size_t>(event.ordinal)], event.site);
    }
    std::size_t in_tree = 1; // every event of the plan is inside exactly one other, but the iteration
    for (const auto& inner : plan.inner) in_tree += inner.size();
    CHECK_EQUAL(in_tree, events.size());
    for (const std::int32_t phase : plan.phases()) CHECK(plan.site_of(*r.run, phase).level == Level::phase);
}

TEST(an_event_is_filled_by_what_it_holds) {
    Recording r(small, 10, {});
    r.iterate(true);
    const StepPlan plan = step_plan(*r.run);
    std::vector<double> weight(plan.site.size());
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<double>(i % 5); // some are 0
    const std::pair<const char*, std::vector<double>> rows[] = {
        {"weights", weight}, {"none", {}}, {"not finite", std::vector<double>(weight.size(), NAN)},
        {"negative", std::vector<double>(weight.size(), -1.0)}};
    for (const auto& [name, weights] : rows) {
        const Row row(name);
        const auto extents = lay_out_step(plan, weights);
        for (std::size_t outer = 0; outer < plan.inner.size(); ++outer) {
            if (plan.inner[outer].empty()) continue;
            double at = extents[outer].from;
            for (const std::int32_t inner : plan.inner[outer]) {
                const Extent extent = extents[static_cast<std::size_t>(inner)];
                CHECK_EQUAL(extent.from, at);
                CHECK(extent.until >= extent.from);
                at = extent.until;
            }
            CHECK_EQUAL(at, extents[outer].until);
        }
    }
    weight.assign(weight.size(), 0);
    const auto phases = plan.phases();
    weight[static_cast<std::size_t>(phases[0])] = 1;
    weight[static_cast<std::size_t>(phases[1])] = 3;
    const auto extents = lay_out_step(plan, weight);
    CHECK_EQUAL(extents[static_cast<std::size_t>(phases[1])].length(), 0.75);
}

TEST(times_are_summed_over_the_observed_iterations) {
    std::vector<int> lengths;
    for (int i = 1; i <= 101; ++i) lengths.push_back(i * 10);
    const auto run = timed_run(0, nullptr, lengths);
    SiteTimes times;
    int calls = 1;
    while (!times.grow(run, 50)) ++calls;
    CHECK(calls > 10, std::to_string(calls)); // it stops when it has read enough
    CHECK_EQUAL(times.iterations(), std::size_t{101});
    const auto op = times.of(1);
    REQUIRE(op.has_value());
    CHECK_EQUAL(op->count, std::size_t{101});
    CHECK(near(op->total, 10e-9 * 101 * 102 / 2), fmt::format("{}", op->total));
    CHECK(near(op->median, 510e-9), fmt::format("{}", op->median));
    CHECK(near(op->low, 110e-9) && near(op->high, 910e-9), fmt::format("{} {}", op->low, op->high));
    CHECK(!times.of(7).has_value());
    times.grow(run, 1'000'000);
    CHECK_EQUAL(times.of(1)->count, std::size_t{101}); // nothing is read twice
}

TEST(a_fork_counts_its_past_and_not_its_parents_future) {
    const auto parent = timed_run(0, nullptr, std::vector<int>(20, 100));
    const auto child = timed_run(5, parent, std::vector<int>(3, 1000));
    SiteTimes times;
    while (!times.grow(child, 1'000'000)) continue;
    CHECK_EQUAL(times.iterations(), std::size_t{8});
    CHECK(near(times.of(1)->total, 5 * 100e-9 + 3 * 1000e-9), fmt::format("{}", times.of(1)->total));
    while (!times.grow(parent, 1'000'000)) continue; // another Run starts over
    CHECK_EQUAL(times.iterations(), std::size_t{20});
}

TEST(thinned_samples_keep_sums_exact_and_percentiles_close) {
    std::vector<int> lengths;
    for (int i = 0; i < 10'000; ++i) lengths.push_back(100 + i);
    RunBudget budget;
    budget.events = std::size_t{64} << 20;
    const auto run = timed_run(0, nullptr, lengths, budget);
    SiteTimes times;
    while (!times.grow(run, 1'000'000)) continue;
    const auto op = times.of(1);
    CHECK_EQUAL(op->count, std::size_t{10'000});
    CHECK(near(op->total, 1e-9 * (10'000 * 100.0 + 9'999.0 * 10'000 / 2)));
    CHECK(std::abs(op->median - 5100e-9) < 30e-9, fmt::format("{}", op->median));
}

TEST(evicted_iterations_are_left_out_and_counted) {
    RunBudget tiny;
    tiny.events = 3 * 16'384 * sizeof(EventRecord);
    const auto run = timed_run(0, nullptr, std::vector<int>(50'000, 100), tiny);
    SiteTimes times;
    while (!times.grow(run, 1'000'000)) continue;
    CHECK(times.evicted() > 10'000, std::to_string(times.evicted()));
    CHECK_EQUAL(times.iterations() + times.evicted(), std::size_t{50'000});
    CHECK_EQUAL(times.of(1)->count, times.iterations());
}
