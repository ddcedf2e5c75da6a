// What views make of a trace: line by line, lane by lane, bank by bank.
#include "engine/simt/kernel_run.hpp"
#include "engine/trace/derive/access_picture.hpp"
#include "engine/trace/derive/kernel_block.hpp"
#include "engine/trace/derive/kernel_walk.hpp"
#include "engine/trace/derive/line_counters.hpp"
#include "engine/trace/derive/warp_turns.hpp"
#include "engine/trace/file/kernel_codec.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "tests/simt/edited.hpp"
#include "tests/simt/traced.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

std::string text_of_rung(const std::string& name) {
    const auto [ladder, rung] = find_rung(name);
    std::ostringstream out;
    out << std::ifstream(file_of(*ladder, *rung)).rdbuf();
    return out.str();
}

using Key = std::tuple<std::uint32_t, std::int32_t, simt::Op, Space, std::string>; // launch, line, …
using Counts = std::map<Key, std::array<std::int64_t, 4>>;                    // steps, lanes, transfers, bytes

} // namespace

TEST(lines_sum_to_what_the_command_line_counts) {
    for (const char* name : {"transpose/2_tiled", "matmul/5_tile_2d", "reduction/7_shuffle", "softmax/4_block", "attention/1_naive", "histogram/2_shared", "layernorm/3_block"}) {
        const Row row(name);
        const KernelRun run = recorded_whole(name);
        REQUIRE(run.trace != nullptr, run.end.why);
        for (std::size_t launch = 0; launch < run.steps.size(); ++launch) {
            std::int64_t transfers[2] = {}, ideal[2] = {}, steps[2] = {}, bytes[2] = {};
            for (const LineCount& line : run.steps[launch].lines) {
                if (!touches_memory(line.op) || line.space > Space::shared) continue;
                const auto space = static_cast<std::size_t>(line.space);
                transfers[space] += line.transfers, ideal[space] += line.ideal, steps[space] += line.steps, bytes[space] += line.bytes_asked();
            }
            for (const Space space : {Space::global, Space::shared}) {
                const auto at = static_cast<std::size_t>(space);
                LineAccess sum;
                for (std::size_t file = 0; file < run.trace->files.size(); ++file)
                    for (const LineCounters& line : line_counters(*run.trace, launch, static_cast<std::int32_t>(file)))
                        for (const LineAccess& access : line.accesses)
                            if (access.space == space) sum.transfers += access.transfers, sum.ideal += access.ideal, sum.steps += access.steps, sum.bytes += access.bytes;
                const LineAccess total = launch_total(*run.trace, launch, space);
                CHECK_EQUAL(sum.transfers, transfers[at]);
                CHECK_EQUAL(sum.ideal, ideal[at]);
                CHECK_EQUAL(sum.steps, steps[at]);
                CHECK_EQUAL(sum.bytes, bytes[at]);
                CHECK_EQUAL(total.transfers, transfers[at]);
                CHECK_EQUAL(total.bytes, bytes[at]);
            }
        }
    }
}

/// One goes on from a load to the bits of the multiply-add that it feeds, in its own lane; from a store there is nothing to go to.
TEST(a_load_leads_to_its_multiply_add) {
    const KernelRun run = recorded_whole("matmul/1_naive");
    REQUIRE(run.trace != nullptr, run.end.why);
    const KernelEvents events(run.trace, 0, "launches");
    const KernelLog& log = run.trace->log;
    int led = 0;
    for (std::size_t step = 0; step < run.trace->steps() && led < 200; ++step) {
        const KernelLog::Site& site = log.sites[log.site[step]];
        if (!touches_memory(site.op) || !(log.mask[step] >> 5 & 1)) continue;
        const std::int32_t to = events.multiply_add_after(events.of_lane(step, 5));
        if (site.op == simt::Op::write) {
            CHECK_EQUAL(to, -1);
            continue;
        }
        REQUIRE(to >= 0, "a load");
        CHECK_EQUAL(events.lane_of(to), 5);
        CHECK(events.fma_of(to) >= 0 && events.step_of(to) > step);
        CHECK_EQUAL(events.multiply_add_after(events.of_step(step)), -1); // of no lane
        ++led;
    }
    CHECK(led > 10);
}

/// Both operands of a call have its place; which costs what is read off their order.
TEST(counts_of_a_line_stand_as_they_are_written) {
    const KernelRun run = recorded_whole("matmul/1_naive");
    REQUIRE(run.trace != nullptr, run.end.why);
    bool found = false;
    for (const LineCounters& line : line_counters(*run.trace, 0, 0)) {
        std::string buffers;
        for (const LineAccess& access : line.accesses) buffers += access.buffer;
        if (line.accesses.size() < 2) continue;
        CHECK_EQUAL(buffers, std::string("AB")); // fmaf(A[…], B[…], sum)
        found = true;
    }
    CHECK(found);
}

TEST(pictures_of_all_steps_sum_to_the_lines) {
    const Problem product{{"M", 64}, {"N", 64}, {"K", 64}};
    const std::pair<const char*, Problem> rungs[] = {{"transpose/2_tiled", {}}, {"matmul/3_shared", product}, {"matmul/6_vectorised", product}, {"struct_layout/1_aos", {}},
                                                     {"misaligned_copy/1_offset_1", {}}, {"histogram/2_shared", {}}, {"attention/4_flash", {{"BH", 1}, {"T", 64}}}};
    for (const auto& [name, sizes] : rungs) {
        const Row row(name);
        const KernelRun run = recorded_whole(name, sizes);
        REQUIRE(run.trace && !run.trace->cut(), run.end.why);
        const KernelTrace& trace = *run.trace;
        Counts lines, pictures;
        for (const KernelTrace::Line& line : trace.lines) {
            if (!touches_memory(line.op) || line.space > Space::shared) continue;
            auto& sum = lines[{line.launch, line.place.line, line.op, line.space, line.buffer}];
            sum[0] += line.steps, sum[1] += line.lanes, sum[2] += line.transfers, sum[3] += line.lanes * line.bytes;
        }
        for (std::size_t step = 0; step < trace.steps(); ++step) {
            const KernelTrace::Accesses touched = trace.accesses(step);
            if (!touched.count) continue;
            const Space space = trace.ranges[touched.of[0].range].space;
            if (space > Space::shared) continue;
            const SectorPicture sectors = sectors_of_step(trace, step);
            const BankPicture banks = banks_of_step(trace, step);
            int drawn = 0;
            for (const SectorPicture::Line& line : sectors.lines)
                for (int sector = 0; sector < 4; ++sector) drawn += line.moved(sector);
            const int transfers = space == Space::global ? drawn : static_cast<int>(banks.turns.size());
            CHECK_EQUAL(transfers, trace.transfers(step));
            CHECK_EQUAL(sectors.sectors, space == Space::global ? drawn : 0);
            std::uint32_t served = 0;
            for (const SectorPicture::Line& line : sectors.lines)
                for (const std::uint32_t lanes : line.lanes) served |= lanes;
            for (const BankPicture::Turn& turn : banks.turns)
                for (std::size_t bank = 0; bank < 32; ++bank) {
                    served |= turn[bank].lanes;
                    if (turn[bank].lanes) CHECK_EQUAL(turn[bank].offset / 4 % 32, bank);
                }
            CHECK_EQUAL(served, trace.log.mask[step]);
            const KernelTrace::Site& site = trace.sites[trace.log.site[step]];
            auto& sum = pictures[{trace.log.blocks[trace.block_of(step)].launch, site.place.line, trace.log.sites[trace.log.site[step]].op, space, trace.name_at(touched.of[0].range, touched.of[0].offset)}];
            sum[0] += 1, sum[1] += std::popcount(trace.log.mask[step]), sum[2] += transfers, sum[3] += static_cast<std::int64_t>(touched.count * touched.of[0].before.size());
        }
        CHECK(lines == pictures, "the lines' counts are those of the steps' pictures");
    }
}

TEST(a_column_of_an_unpadded_tile_takes_32_turns_and_of_a_padded_one) {
    const std::pair<const char*, std::size_t> rungs[] = {{"transpose/2_tiled", 32}, {"transpose/3_padded", 1}};
    for (const auto& [name, turns] : rungs) {
        const Row row(name);
        const KernelRun run = recorded_whole(name);
        REQUIRE(run.trace != nullptr, run.end.why);
        const KernelEvents events(run.trace, 1, "launches");
        const EventSite* load = events.find("launches/0/block 0/load at = tile[");
                REQUIRE(load != nullptr, "a load of a column");
        const BankPicture banks = banks_of_step(*run.trace, events.step_of(load->ordinal));
        CHECK_EQUAL(banks.turns.size(), turns);
        CHECK_EQUAL(banks.ideal, 1);
    }
}

TEST(every_lane_stands_somewhere_and_goes_on_where_the_log_says) {
    for (const char* name : {"branch_parity/1_by_thread", "uneven_loops/1_direct", "reduction/3_sequential", "prefix_scan/1_hillis_steele"}) {
        const Row row(name);
        const KernelRun run = recorded_whole(name);
        REQUIRE(run.trace && !run.trace->log.blocks.empty(), run.end.why);
        const KernelBlock block(run.trace, 0);
        const KernelLog& log = run.trace->log;
        int most_groups = 0;
        for (std::size_t step = block.begin(); step < block.end(); step += 1 + (step % 7)) {
            const int warp = log.warp[step];
            const WarpStand stand = stand_of(block, warp, step);
            CHECK_EQUAL(stand.mask(LaneState::active), log.mask[step]);
            most_groups = std::max(most_groups, stand.groups);
            for (int lane = 0; lane < 32; ++lane) {
                std::size_t next = step; // the plain way
                while (next < block.end() && !(log.warp[next] == warp && (log.mask[next] >> lane & 1))) ++next;
                CHECK_EQUAL(stand.lanes[static_cast<std::size_t>(lane)].next, next);
            }
        }
        if (std::string(name).starts_with("branch") || std::string(name).starts_with("uneven")) CHECK(most_groups >= 2, "lanes part");
    }
}

TEST(a_barrier_fills_and_then_all_go_on) {
    const KernelRun run = recorded_whole("reduction/3_sequential");
    REQUIRE(run.trace != nullptr, run.end.why);
    const KernelBlock block(run.trace, 0);
    int before = 0, most = 0;
    bool full = false;
    for (std::size_t step = block.begin(); step < block.end(); ++step) {
        const BarrierStand stand = barrier_stand(block, step);
        if (run.trace->log.sites[run.trace->log.site[step]].op == simt::Op::barrier && before == stand.live) full = true;
        most = std::max(most, stand.arrived);
        before = stand.arrived;
        CHECK(stand.arrived <= stand.live);
    }
    CHECK(full, "the last to come finds all there");
    CHECK_EQUAL(most, static_cast<int>(block.launch().block.count()));
    CHECK(block.has_barrier());
    const KernelRun none = recorded_whole("vector_add/1_naive");
    REQUIRE(none.trace != nullptr, none.end.why);
    CHECK(!KernelBlock(none.trace, 0).has_barrier(), "nobody waits there");
}

TEST(ways_lead_there_and_back) {
    const KernelRun run = recorded_whole("matmul/3_shared");
    REQUIRE(run.trace != nullptr, run.end.why);
    const KernelBlock block(run.trace, 0);
    const KernelLog& log = run.trace->log;
    const WarpTurns turns = turns_of(block, log.warp[block.begin()]);
    CHECK_EQUAL(turns.steps.size(), block.of_warp(log.warp[block.begin()]).size());
    std::size_t at = block.begin(), steps = 1, barriers = 0;
    while (const auto next = next_of_warp(block, at, 1)) {
        CHECK(next_of_warp(block, *next, -1) == at);
        CHECK_EQUAL(log.warp[*next], log.warp[at]);
        at = *next, ++steps;
        barriers += log.sites[log.site[at]].op == simt::Op::barrier;
    }
    CHECK_EQUAL(steps, turns.steps.size());
    std::size_t found = 0;
    for (auto next = next_barrier(block, block.begin(), 1); next; next = next_barrier(block, *next, 1)) ++found;
    CHECK_EQUAL(found, barriers);
    CHECK(barriers > 0);
    const auto line = next_line(block, block.begin(), 1);
    REQUIRE(line.has_value(), "another line");
    CHECK(run.trace->sites[log.site[*line]].place.line != run.trace->sites[log.site[block.begin()]].place.line);
    CHECK(next_line(block, *line, -1) == block.begin());
}

TEST(a_word_is_touched_by_those_that_its_formula_says) {
    const KernelRun run = recorded_whole("matmul/1_naive", {{"M", 32}, {"N", 32}, {"K", 8}});
    REQUIRE(run.trace != nullptr, run.end.why);
    std::size_t a = 0, c = 0;
    for (std::size_t i = 0; i < run.trace->ranges.size(); ++i) {
        if (run.trace->ranges[i].name == "A") a = i;
        if (run.trace->ranges[i].name == "C") c = i;
    }
    CHECK_EQUAL(steps_touching(*run.trace, c, 5 * 4, 4).size(), std::size_t{1}); // written once
    const auto reads = steps_touching(*run.trace, a, 3 * 4, 4);
    std::int64_t lanes = 0;
    for (const std::uint32_t step : reads) {
        const KernelTrace::Accesses touched = run.trace->accesses(step);
        for (const KernelTrace::Access& access : touched.all()) lanes += access.range == a && access.offset == 12;
    }
    CHECK_EQUAL(lanes, std::int64_t{32}); // an element of A goes into each of its row's 32 products
}

TEST(a_step_is_found_by_what_stands_in_its_line) {
    CHECK(!read_step_wanted("step 3"));
    CHECK(!read_step_wanted("warp 40 at x"));
    CHECK(!read_step_wanted("at "));
    const auto wanted = read_step_wanted("warp 1 store time 2 lane 5 at a / b at c");
    REQUIRE(wanted.has_value(), "it is one");
    CHECK(wanted->warp == 1 && wanted->lane == 5 && wanted->time == 2 && wanted->op == simt::Op::write && wanted->fragment == "a / b at c");
    const KernelRun run = recorded_whole("transpose/1_naive");
    REQUIRE(run.trace != nullptr, run.end.why);
    const KernelEvents events(run.trace, 1, "launches");
    const EventSite* lane = events.find("launches/0/block 0/warp 1 store lane 5 at y[");
    REQUIRE(lane != nullptr, "a lane of a store");
    CHECK(lane->level == Level::lane);
    const std::size_t step = events.step_of(lane->ordinal);
    CHECK_EQUAL(run.trace->log.warp[step], std::uint8_t{1});
    CHECK_EQUAL(events.lane_of(lane->ordinal), 5);
    CHECK(source_line(*run.trace, run.trace->sites[run.trace->log.site[step]].place.file, run.trace->sites[run.trace->log.site[step]].place.line).find("y[") != std::string_view::npos);
    CHECK(events.find(lane->path) == lane);
    CHECK(events.find("launches/0/block 0/at no such words") == nullptr);
    CHECK(events.find("launches/0/block 9999999/at y[") == nullptr);
}

TEST(what_a_line_asks_for_leads_to_the_step_that_asks_for_most) {
    const KernelRun run = recorded_whole("transpose/1_naive", {{"rows", 40}, {"columns", 40}}, {0, 0, 0}); // at the edges fewer lanes ask for less
    REQUIRE(run.trace != nullptr, run.end.why);
    std::size_t lines = 0;
    for (std::size_t number = 0; number < run.trace->log.blocks.size(); ++number) {
        const KernelBlock block(run.trace, number);
        for (const KernelTrace::Line& line : run.trace->lines) {
            if (line.space != Space::global || !touches_memory(line.op)) continue;
            int most = 0;
            std::size_t times = 0;
            for (std::size_t step = block.begin(); step < block.end(); ++step) {
                const KernelPlace& place = run.trace->sites[run.trace->log.site[step]].place;
                if (place.file != line.place.file || place.line != line.place.line) continue;
                const int moved = run.trace->transfers(step);
                if (moved > most) most = moved, times = 0;
                times += moved == most;
            }
            const auto first = costliest_in_line(block, block.end(), line.place, Space::global);
            CHECK_EQUAL(first.has_value(), most > 0);
            if (!first) continue;
            ++lines;
            CHECK_EQUAL(run.trace->transfers(*first), most);
            std::optional<std::size_t> at = first;
            for (std::size_t i = 1; i < times; ++i) {
                const auto next = costliest_in_line(block, *at, line.place, Space::global);
                REQUIRE(next && *next > *at);
                CHECK_EQUAL(run.trace->transfers(*next), most);
                at = next;
            }
            CHECK(costliest_in_line(block, *at, line.place, Space::global) == first); // and round again
            CHECK(!costliest_in_line(block, 0, line.place, Space::shared));
        }
    }
    CHECK(lines > 1);
}

TEST(a_finding_leads_to_its_step_and_its_lanes) {
    std::string text = text_of_rung("transpose/2_tiled");
    const std::size_t barrier = text.find("__syncthreads();");
    REQUIRE(barrier != std::string::npos, "there is a barrier");
    const Edited file(text.erase(barrier, 16));
    const KernelRun run = recorded_whole("transpose/2_tiled", {}, {0, 0, 0}, file.path.string());
    REQUIRE(run.trace && !run.trace->findings.empty(), run.end.why);
    for (const KernelTrace::Finding& finding : run.trace->findings) {
        REQUIRE(!finding.threads.empty(), finding.sentence);
        const auto step = step_of_finding(*run.trace, finding);
        REQUIRE(step.has_value(), finding.sentence);
        CHECK_EQUAL(run.trace->sites[run.trace->log.site[*step]].place.line, finding.place.line);
        CHECK(run.trace->log.mask[*step] >> finding.threads[0].rank % 32 & 1);
        if (finding.kind != "race") continue;
        // A barrier is missing for the whole block: every thread reads, or has read from it, what another one writes.
        std::set<std::pair<std::uint32_t, std::uint32_t>> racing;
        for (const KernelTrace::Thread& thread : finding.threads) racing.emplace(thread.block, thread.rank);
        CHECK_EQUAL(racing.size(), finding.threads.size());
        CHECK(racing.size() > 32, finding.sentence);
    }
    // The text that ran is part of the trace, and of its file.
    const auto bytes = file::kernel_to_bytes(*run.trace);
    const KernelTrace read = file::kernel_from_bytes(bytes, "bytes");
    CHECK(read.sources == run.trace->sources);
    CHECK(std::find(read.sources.begin(), read.sources.end(), text) != read.sources.end());
    for (std::size_t i = 0; i < read.findings.size(); ++i) CHECK(read.findings[i].threads == run.trace->findings[i].threads);
}
