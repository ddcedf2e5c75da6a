#include "app/cli/bench/bench.hpp"
#include "engine/trace/run_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gradus::cli {

namespace {

/// Ticks per call of work(), the least of many rounds: what the code costs when nothing disturbs it.
template <class Work> double least_ticks(Work work, int calls) {
    double least = 1e300;
    for (int round = 0; round < 60; ++round) {
        const Ticks start = now_ticks();
        for (int i = 0; i < calls; ++i) work();
        least = std::min(least, static_cast<double>(now_ticks() - start) / calls);
    }
    return least;
}

} // namespace

std::vector<BenchRow> bench_events() {
    constexpr int calls = 20'000;
    volatile Ticks sink = 0;
    const auto two_reads = [&] {
        const Ticks first = now_ticks();
        sink = now_ticks() - first;
    };
    RunBudget budget;
    budget.events = std::size_t{8} << 20; // wraps round often, so that chunks coming and going are part of the cost
    auto run = std::make_shared<Run>(Manifest{}, std::vector<SeriesInfo>{}, nullptr, budget);
    RunWriter writer(run);
    writer.add_site({});
    writer.begin_iteration(0, true);
    const auto event = [&] { writer.end(writer.begin(), 0); };
    const double ns = calibrated_clock().ns_per_tick;
    std::vector<double> ratios, reads, events;
    for (int round = 0; round < 9; ++round) { // interleaved: both see the same machine
        reads.push_back(least_ticks(two_reads, calls));
        events.push_back(least_ticks(event, calls));
        ratios.push_back(events.back() / reads.back());
    }
    return {{"events", "one event / two clock reads", median(ratios), "ratio", 1.3, false,
             fmt::format("{:.1f} ns / {:.1f} ns", median(events) * ns, median(reads) * ns)}};
}

} // namespace gradus::cli
