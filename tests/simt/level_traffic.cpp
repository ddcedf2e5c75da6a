// Bytes that cross each level, against launches that were counted by hand, and against what the interpreter counts for itself.
#include "engine/trace/derive/level_traffic.hpp"

#include "engine/simt/kernel_run.hpp"
#include "tests/support/check.hpp"

#include <algorithm>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

KernelRun recorded(const std::string& name, const Problem& sizes, Dim3 block, bool all = true) {
    const auto [ladder, rung] = find_rung(name);
    KernelRequest request;
    request.ladder = ladder, request.rung = rung;
    request.sizes = sizes;
    request.block = block;
    request.recording.wanted = true;
    if (!all) request.recording.launch = Recording::no_launch;
    KernelRun run = run_kernel(request);
    REQUIRE(run.end.done && run.trace, run.end.why);
    return run;
}

/// The same by adding up blocks and steps, but for the distinct sectors.
void check_sums(const KernelTrace& trace, const LevelTraffic& whole) {
    LevelTraffic blocks, steps;
    for (std::size_t i = 0; i < trace.log.blocks.size(); ++i) blocks += block_traffic(trace, i);
    for (std::size_t i = 0; i < trace.steps(); ++i) steps += step_traffic(trace, i);
    for (const LevelTraffic* sum : {&blocks, &steps}) {
        CHECK_EQUAL(sum->registers(), whole.registers());
        CHECK_EQUAL(sum->shared_moved(), whole.shared_moved());
        CHECK_EQUAL(sum->sectors_asked(), whole.sectors_asked());
        CHECK_EQUAL(sum->shared.ideal, whole.shared.ideal);
        CHECK_EQUAL(sum->global.ideal, whole.global.ideal);
        CHECK_EQUAL(sum->global.loads, whole.global.loads);
        CHECK_EQUAL(sum->shared.stores, whole.shared.stores);
        CHECK_EQUAL(sum->multiply_adds, whole.multiply_adds);
    }
}

} // namespace

TEST(a_transpose_moves_what_is_counted_by_hand) {
    const KernelRun run = recorded("transpose/1_naive", {{"rows", 64}, {"columns", 64}}, {32, 8});
    const LevelTraffic launch = launch_traffic(*run.trace, 0);
    // 4096 elements: 128 warps read a row's 32 neighbours, 4 sectors; and write down a column, 32 sectors.
    CHECK_EQUAL(launch.global.loads, 4096);
    CHECK_EQUAL(launch.global.stores, 4096);
    CHECK_EQUAL(launch.registers(), 2 * 4096 * 4);
    CHECK_EQUAL(launch.sectors_asked(), 128 * (4 + 32) * 32);
    CHECK_EQUAL(launch.global.ideal, 128 * (4 + 4));
    CHECK_EQUAL(launch.shared_moved(), 0);
    CHECK_EQUAL(launch.memory_least().value(), 2 * 4096 * 4);
    CHECK_EQUAL(bytes_at(launch, MemoryLevel::l2).value(), bytes_at(launch, MemoryLevel::l1).value());
    CHECK_EQUAL(ideal_at(launch, MemoryLevel::l2).value(), launch.memory_least().value());
    CHECK(!ideal_at(launch, MemoryLevel::registers));
    // A block of 32 × 8: eight rows of 128 bytes; 32 columns, of each eight neighbours, one sector.
    const LevelTraffic block = block_traffic(*run.trace, 3);
    CHECK_EQUAL(block.sectors_asked(), 8 * (4 + 32) * 32);
    CHECK_EQUAL(block.sectors_read.value(), 8 * 4);
    CHECK_EQUAL(block.sectors_written.value(), 32);
    check_sums(*run.trace, launch);
}

TEST(a_tile_turns_sectors_into_wavefronts) {
    const KernelRun run = recorded("transpose/2_tiled", {{"rows", 64}, {"columns", 64}}, {32, 8});
    const LevelTraffic launch = launch_traffic(*run.trace, 0);
    CHECK_EQUAL(launch.sectors_asked(), 128 * (4 + 4) * 32);
    CHECK_EQUAL(launch.shared.transfers, 128 * (1 + 32)); // rows in, columns out of one bank
    CHECK_EQUAL(launch.shared.ideal, 128 * 2);
    CHECK_EQUAL(launch.registers(), 4 * 4096 * 4);
    check_sums(*run.trace, launch);
}

TEST(a_tiled_product_moves_what_is_counted_by_hand) {
    const KernelRun run = recorded("matmul/3_shared", {{"M", 64}, {"N", 64}, {"K", 64}}, {16, 16});
    const LevelTraffic launch = launch_traffic(*run.trace, 0);
    constexpr std::int64_t n = 64, tile = 16;
    CHECK_EQUAL(launch.global.loads, 2 * n * n * n / tile); // each element is used `tile` times
    CHECK_EQUAL(launch.shared.loads, 2 * n * n * n);
    CHECK_EQUAL(launch.multiply_adds, n * n * n);
    CHECK_EQUAL(launch.sectors_asked(), (2 * n * n * n / tile + n * n) * 4); // 32 lanes in two rows of 64 bytes: no sector in vain
    CHECK_EQUAL(launch.memory_least().value(), 3 * n * n * 4);
    check_sums(*run.trace, launch);
}

TEST(distinct_sectors_are_those_of_all_steps) {
    std::int64_t compared = 0;
    for (const Ladder& ladder : all_ladders()) {
        const Row row(ladder.id);
        Problem small; // the largest that ends soon: of one element there is one sector
        for (const ProblemSize& size : ladder.sizes) {
            constexpr std::int64_t most = 40;
            std::int64_t least = size.usual, best = 0;
            for (const std::int64_t odd : size.odd) {
                if (odd > 0) least = std::min(least, odd);
                if (odd <= most) best = std::max(best, odd);
            }
            small[size.name] = best > 0 ? best : least;
        }
        const Rung& rung = ladder.rungs.back();
        const KernelRun run = recorded(ladder.id + "/" + rung.id, small, rung.blocks.front());
        for (std::size_t launch = 0; launch < run.steps.size(); ++launch) {
            if (!run.trace->launches[launch].whole) continue;
            const LevelTraffic found = launch_traffic(*run.trace, launch); // from its steps
            CHECK_EQUAL(found.sectors_read.value(), run.steps[launch].sectors_read); // as the interpreter saw them
            CHECK_EQUAL(found.sectors_written.value(), run.steps[launch].sectors_written);
            compared += *found.sectors_read;
        }
    }
    CHECK(compared > 2000, std::to_string(compared));
}

TEST(of_steps_that_are_not_recorded_the_launch_says_what_was_counted) {
    const KernelRun run = recorded("transpose/1_naive", {{"rows", 64}, {"columns", 33}}, {32, 8}, false);
    CHECK_EQUAL(run.trace->steps(), std::size_t{0});
    CHECK(!launch_traffic(*run.trace, 0).memory_least());
    EventSite event;
    event.attributes = {{"sectors_read", std::to_string(run.steps[0].sectors_read), ""}, {"sectors_written", "7", ""}, {"multiply_adds", "5", ""}};
    const LevelTraffic told = launch_traffic(*run.trace, 0, &event);
    CHECK_EQUAL(told.sectors_read.value(), (64 * 33 * 4 + 31) / 32);
    CHECK_EQUAL(told.sectors_written.value(), 7);
    CHECK_EQUAL(told.multiply_adds, 5);
}

TEST(the_traffic_at_a_cursor_is_of_its_event) {
    const KernelRun run = recorded("reduction/3_sequential", {{"n", 4096}}, {256});
    const auto& trace = *run.trace;
    const KernelEvents events(run.trace, 1, "launches");
    std::vector<EventSite> sites(trace.launches.size());
    std::vector<const EventSite*> launches;
    LevelTraffic all = launch_traffic(trace, 0);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        sites[i].ordinal = 1 + static_cast<std::int32_t>(i) * trace.ordinals_of_launch();
        launches.push_back(&sites[i]);
        if (i > 0) all += launch_traffic(trace, i);
    }
    REQUIRE(sites.size() > 1);
    CHECK(traffic_at(events, -1, launches).of == TrafficAt::Of::iteration);
    CHECK_EQUAL(traffic_at(events, -1, launches).traffic.registers(), all.registers());
    const TrafficAt second = traffic_at(events, sites[1].ordinal, launches);
    CHECK(second.of == TrafficAt::Of::launch && second.number == 1);
    CHECK_EQUAL(second.traffic.registers(), launch_traffic(trace, 1).registers());
    const TrafficAt block = traffic_at(events, events.of_block(2), launches);
    CHECK(block.of == TrafficAt::Of::block && block.number == 2);
    CHECK_EQUAL(block.traffic.sectors_asked(), block_traffic(trace, 2).sectors_asked());
    const TrafficAt lane = traffic_at(events, events.of_step(5) + 1, launches); // inside a step: the step's
    CHECK(lane.of == TrafficAt::Of::step && lane.number == 5);
    CHECK_EQUAL(lane.traffic.registers(), step_traffic(trace, 5).registers());
}
