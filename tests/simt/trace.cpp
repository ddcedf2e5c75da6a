#include "engine/core/philox.hpp"
#include "engine/simt/kernel_run.hpp"
#include "engine/trace/kernel/fma_bits.hpp"
#include "tests/simt/edited.hpp"
#include "tests/simt/traced.hpp"
#include "tests/support/check.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

/// Each size is at most a few blocks wide, of those that the ladder says every rung must get right.
Problem small_problem(const Ladder& ladder) {
    Problem out;
    for (const ProblemSize& size : ladder.sizes) {
        std::int64_t best = size.usual;
        for (const std::int64_t odd : size.odd)
            if (odd > 0 && odd < best) best = odd;
        out[size.name] = best;
    }
    return out;
}

KernelRequest request_of(const Ladder& ladder, const Rung& rung) {
    KernelRequest request;
    request.ladder = &ladder, request.rung = &rung;
    request.sizes = small_problem(ladder);
    request.recording.wanted = true;
    return request;
}

KernelRun recorded(const std::string& name, const Problem& sizes = {}, const Recording& recording = {.wanted = true}) {
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung(name);
    request.sizes = sizes;
    request.recording = recording;
    return run_kernel(request);
}

} // namespace

TEST(a_trace_of_every_ladder_goes_there_and_back) {
    for (const Ladder& ladder : all_ladders()) {
        const Rung& rung = ladder.rungs[ladder.rungs.size() > 1 ? 1 : 0];
        const Row row(ladder.id + "/" + rung.id);
        const KernelRun run = run_kernel(request_of(ladder, rung));
        REQUIRE(run.end.done && run.trace, run.end.why);
        CHECK(run.right());
        CHECK(!run.trace->cut());
        CHECK(run.trace->steps() > 0);
        std::size_t held = 0;
        for (const KernelTrace::Range& range : run.trace->ranges) held += range.end_hash != 0;
        CHECK(held >= run.prepared.buffers.size());
        check_there_and_back(run.trace, ladder.id);
    }
}

TEST(random_walks_come_to_where_a_fresh_replay_does) {
    for (const char* name : {"transpose/2_tiled", "reduction/1_interleaved", "histogram", "prefix_scan"}) {
        const Row row(name);
        std::string id = name;
        const Ladder* ladder = find_rung(id.substr(0, id.find('/'))).first;
        const Rung* rung = &ladder->rungs.back();
        const KernelRun run = run_kernel(request_of(*ladder, *rung));
        REQUIRE(run.trace != nullptr, run.end.why);
        const Philox random(7, 1);
        KernelCursor walker(run.trace);
        std::size_t at = 0;
        for (std::uint64_t i = 0; i < 60; ++i) {
            const auto most = static_cast<std::uint32_t>(run.trace->steps() + 1);
            at = i % 2 ? std::min<std::size_t>(at + random.below(i, 40), most - 1) : random.below(i, most);
            walker.go_to(at);
            CHECK_EQUAL(walker.position(), at);
            KernelCursor fresh(run.trace);
            fresh.go_to(at);
            CHECK(same(walker, fresh), fmt::format("at {}", at));
        }
    }
}

TEST(a_trace_says_what_is_counted) {
    for (const char* name : {"transpose/1_naive", "transpose/2_tiled", "matmul/1_naive", "softmax/1_naive"}) {
        const Row row(name);
        std::string id = name;
        const auto [ladder, last] = find_rung(id.substr(0, id.find('/')));
        KernelRequest request = request_of(*ladder, ladder->rungs[0]);
        const KernelRun run = run_kernel(request);
        request.recording = {};
        const KernelRun plain = run_kernel(request); // runs ahead, with nothing recorded
        REQUIRE(run.trace && !plain.trace, run.end.why);
        std::int64_t steps = 0, sectors = 0, wavefronts = 0, lanes = 0;
        for (const StepReport& step : plain.steps)
            for (const LineCount& line : step.lines) {
                steps += line.steps, lanes += line.lanes;
                if (line.space == Space::global) sectors += line.transfers;
                if (line.space == Space::shared) wavefronts += line.transfers;
            }
        std::int64_t traced_lanes = 0, traced[2] = {};
        for (std::size_t i = 0; i < run.trace->steps(); ++i) {
            traced_lanes += std::popcount(run.trace->log.mask[i]);
            const auto accesses = run.trace->accesses(i);
            if (accesses.count && run.trace->ranges[accesses.of[0].range].space <= Space::shared)
                traced[static_cast<int>(run.trace->ranges[accesses.of[0].range].space)] += run.trace->transfers(i);
        }
        CHECK_EQUAL(static_cast<std::int64_t>(run.trace->steps()), steps);
        CHECK_EQUAL(traced_lanes, lanes);
        CHECK_EQUAL(traced[0], sectors);
        CHECK_EQUAL(traced[1], wavefronts);
    }
}

/// `counts[x[i]]` reads x[i] twice, to see whether it lies in the array, too: what is counted has it once, and so has the trace.
TEST(a_trace_has_a_checked_index_read_once) {
    const Edited edited(R"(
__global__ void histogram_shared_clear(unsigned* bins) { bins[threadIdx.x] = 0; }
__global__ void histogram_shared(const unsigned char* x, unsigned* bins, int n) {
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int i = threadIdx.x;
    atomicAdd(&counts[x[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
)");
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung("histogram/2_shared");
    request.sizes = {{"n", 256}};
    request.source = edited.path.string();
    request.recording.wanted = true;
    const KernelRun run = run_kernel(request);
    REQUIRE(run.end.done && run.trace, run.end.why);
    CHECK(run.right());
    std::int64_t reads = 0, counted = 0;
    for (std::size_t i = 0; i < run.trace->steps(); ++i) {
        const KernelLog::Site& site = run.trace->log.sites[run.trace->log.site[i]];
        reads += site.op == Op::read && site.bytes == 1;
    }
    for (const StepReport& step : run.steps)
        for (const LineCount& line : step.lines) counted += line.steps;
    CHECK_EQUAL(reads, 256 / 32);
    CHECK_EQUAL(static_cast<std::int64_t>(run.trace->steps()), counted);
    REQUIRE(run.trace->log.blocks.size() == 2);
    CHECK(run.trace->steps_of_block(0).second < run.trace->steps_of_block(1).second);
    check_there_and_back(run.trace, "histogram");
}

TEST(one_block_and_one_warp_can_be_recorded) {
    const KernelRun whole = recorded("transpose/2_tiled", {{"rows", 64}, {"columns", 64}});
    const KernelRun block = recorded("transpose/2_tiled", {{"rows", 64}, {"columns", 64}}, {.wanted = true, .launch = 0, .block = 2});
    const KernelRun warp = recorded("transpose/2_tiled", {{"rows", 64}, {"columns", 64}}, {.wanted = true, .launch = 0, .block = 2, .warps = 2});
    REQUIRE(whole.trace && block.trace && warp.trace);
    REQUIRE(whole.trace->log.blocks.size() == 4 && block.trace->log.blocks.size() == 1 && warp.trace->log.blocks.size() == 1);
    CHECK(whole.trace->launches[0].whole && !block.trace->launches[0].whole);
    CHECK_EQUAL(block.trace->log.blocks[0].number, 2u);
    const auto [first, last] = whole.trace->steps_of_block(2);
    CHECK_EQUAL(block.trace->steps(), last - first);
    std::size_t shown = 0, of_warp = 0, hidden = 0;
    for (std::size_t i = 0; i < warp.trace->steps(); ++i) {
        shown += warp.trace->is_shown(i);
        hidden += !warp.trace->is_shown(i);
        if (!warp.trace->is_shown(i)) CHECK(writes_memory(warp.trace->log.sites[warp.trace->log.site[i]].op));
    }
    for (std::size_t i = 0; i < block.trace->steps(); ++i) of_warp += block.trace->log.warp[i] == 1;
    CHECK_EQUAL(shown, of_warp);
    CHECK(hidden > 0);
    check_there_and_back(block.trace, "block");
    check_there_and_back(warp.trace, "warp");
    const KernelRun alone = recorded("transpose/2_tiled", {{"rows", 64}, {"columns", 64}}, {.wanted = true, .alone = true, .launch = 0, .block = 2});
    CHECK(alone.trace && alone.trace->log.payload == block.trace->log.payload);
    CHECK(block.right() && alone.errors.empty() && !alone.right()); // one block is not compared with the reference of all, nor taken for right
}

TEST(a_log_that_is_full_says_so) {
    const KernelRun run = recorded("transpose/1_naive", {{"rows", 64}, {"columns", 64}}, {.wanted = true, .most_bytes = 4000});
    const KernelRun whole = recorded("transpose/1_naive", {{"rows", 64}, {"columns", 64}});
    REQUIRE(run.trace && whole.trace);
    CHECK(run.trace->cut() && !run.trace->launches[0].whole);
    CHECK(run.trace->steps() > 0 && run.trace->log.bytes() <= 4000);
    CHECK_EQUAL(static_cast<std::int64_t>(run.trace->steps()) + run.trace->log.missed, static_cast<std::int64_t>(whole.trace->steps()));
    CHECK(run.right()); // the launch itself went on
    check_there_and_back(run.trace, "cut");
    const KernelRun without = recorded("transpose/1_naive", {{"rows", 64}, {"columns", 64}}, {.wanted = true, .most_memory = 20'000});
    CHECK(without.trace && without.trace->ranges[0].held && !without.trace->ranges[1].held);
}

/// Warps take turns, and what one wrote another reads: the log is in the order in which it was done.
TEST(a_trace_of_a_seeded_schedule_goes_there_and_back) {
    for (const std::uint64_t schedule : {1u, 5u}) {
        for (const char* name : {"reduction", "prefix_scan", "histogram"}) {
            const Row row(fmt::format("{} {}", name, schedule));
            const Ladder* ladder = find_rung(name).first;
            for (const std::size_t i : {std::size_t{1}, ladder->rungs.size() - 1}) {
                KernelRequest request = request_of(*ladder, ladder->rungs[i]);
                request.options.schedule = schedule;
                const KernelRun run = run_kernel(request);
                REQUIRE(run.trace != nullptr, run.end.why);
                check_there_and_back(run.trace, ladder->rungs[i].id);
            }
        }
    }
}

TEST(a_trace_is_the_same_each_time) {
    const KernelRun a = recorded("softmax", {}, {.wanted = true, .launch = 0, .block = 1}), b = recorded("softmax", {}, {.wanted = true, .launch = 0, .block = 1});
    REQUIRE(a.trace && b.trace);
    CHECK(a.trace->log.payload == b.trace->log.payload);
    CHECK(a.trace->log.site == b.trace->log.site && a.trace->log.mask == b.trace->log.mask && a.trace->log.sites == b.trace->log.sites);
}

/// Where nothing races, lanes run ahead of their warp while they are recorded: the log is the one of lanes in lockstep.
TEST(a_trace_does_not_depend_on_how_far_lanes_run_ahead) {
    std::size_t ran_ahead = 0;
    for (const Ladder& ladder : all_ladders()) {
        const Row row(ladder.id + "/" + ladder.rungs.back().id);
        KernelRequest request = request_of(ladder, ladder.rungs.back());
        request.options.log_length = 1;
        const KernelRun lockstep = run_kernel(request);
        REQUIRE(lockstep.end.done && lockstep.trace && lockstep.findings.empty(), lockstep.end.why);
        const KernelLog& there = lockstep.trace->log;
        request.options.log_length = 1024;
        const KernelRun ahead = run_kernel(request);
        REQUIRE(ahead.end.done && ahead.trace && ahead.findings.empty(), ahead.end.why);
        ran_ahead += !ahead.answer.lockstep; // neighbours in one word look like a race at first
        const KernelLog& log = ahead.trace->log;
        CHECK(log.site == there.site && log.mask == there.mask && log.warp == there.warp && log.sites == there.sites, "steps");
        CHECK(log.payload == there.payload, "values");
        CHECK(log.fma_step == there.fma_step && log.fma_site == there.fma_site && log.fma_lane == there.fma_lane, "multiply-adds");
        CHECK(log.locals.changes == there.locals.changes, "variables");
    }
    CHECK(2 * ran_ahead > all_ladders().size(), fmt::format("{} of {}", ran_ahead, all_ladders().size()));
}

TEST(multiply_adds_are_recorded_in_the_order_of_their_lane) {
    const Problem sizes{{"M", 33}, {"N", 20}, {"K", 24}};
    const KernelRun run = recorded("matmul/1_naive", sizes);
    REQUIRE(run.trace != nullptr, run.end.why);
    const KernelTrace& trace = *run.trace;
    const auto index = [&](const std::string& name) {
        return static_cast<std::size_t>(std::find_if(trace.ranges.begin(), trace.ranges.end(), [&](const auto& range) { return range.name == name; }) - trace.ranges.begin());
    };
    const KernelValues inputs = run.prepared.initial_numbers();
    const auto &a = inputs.at("A"), &b = inputs.at("B");
    CHECK_EQUAL(trace.log.fmas.size(), static_cast<std::size_t>(33 * 20 * 24));
    std::size_t followed = 0;
    for (std::size_t step = 0; step < trace.steps(); ++step) {
        const KernelTrace::Accesses touched = trace.accesses(step);
        for (const KernelTrace::Access& access : touched.all()) {
            if (access.range != index("C") || access.after.empty()) continue;
            const std::size_t element = access.offset / 4, row = element / 20, column = element % 20;
            std::vector<KernelLog::Fma> own; // of the lane in this block, up to its store
            for (std::size_t i = trace.steps_of_block(trace.block_of(step)).first; i <= step; ++i)
                if (trace.log.warp[i] == trace.log.warp[step])
                    for (std::uint64_t f = trace.first_fma[i]; f < trace.first_fma[i + 1]; ++f)
                        if (trace.log.fma_lane[f] == access.lane) own.push_back(trace.log.fmas[f]);
            REQUIRE(own.size() == 24);
            float sum = 0;
            for (std::size_t k = 0; k < 24; ++k) {
                const KernelLog::Fma& fma = own[k];
                CHECK_EQUAL(std::bit_cast<float>(fma.a) * std::bit_cast<float>(fma.b), static_cast<float>(a[row * 24 + k]) * static_cast<float>(b[k * 20 + column]));
                CHECK_EQUAL(std::bit_cast<float>(fma.c), sum);
                CHECK_EQUAL(fma_bits(fma.a, fma.b, fma.c).result, fma.result);
                sum = std::bit_cast<float>(fma.result);
            }
            float stored;
            std::memcpy(&stored, access.after.data(), 4);
            CHECK_EQUAL(stored, sum);
            ++followed;
        }
    }
    CHECK_EQUAL(followed, std::size_t{33 * 20});
    for (const std::uint32_t site : trace.log.fma_site) CHECK(trace.log.sites[site].fma == 1 && trace.sites[site].place.line > 0);
}

/// What ladders do not do: lanes that write one place together, structs that are copied whole, places that two blocks fight for.
TEST(traces_of_odd_kernels_go_there_and_back) {
    const std::pair<const char*, const char*> rows[] = {
        {"one place for many lanes", "y[column % 7] = x[row * columns + column];"},
        {"one place for all", "y[0] += x[row * columns + column];"},
        {"structs", "struct Three { float a, b, c; };\n    __shared__ Three s[256];\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                    "    s[rank] = reinterpret_cast<const Three*>(x)[rank];\n    __syncthreads();\n    Three* to = reinterpret_cast<Three*>(y);\n    to[rank] = s[255 - rank];\n    s[rank] = to[rank];"},
        {"bytes", "reinterpret_cast<unsigned char*>(y)[row * columns + column] = reinterpret_cast<const unsigned char*>(x)[column];"},
        {"wide structs", "struct Wide { float of[10]; };\n    __shared__ Wide s[256];\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n    if (rank < 100) {\n"
                         "        Wide* to = reinterpret_cast<Wide*>(y);\n        s[rank] = reinterpret_cast<const Wide*>(x)[rank];\n        to[rank] = s[rank];\n"
                         "        s[rank] = Wide();\n        to[rank].of[3] += s[rank].of[3] + 1;\n        s[0] = to[rank];\n    }"},
        {"nothing changes, and lanes part", "__shared__ float s[256];\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n    s[rank] = 1;\n    s[rank] = 1;\n"
                                            "    y[rank] = rank & 1 ? s[rank] : x[rank];\n    s[rank] = 1;\n    s[rank & 7] += y[rank & 15];"},
        {"copies onto one place", "struct Two { float a, b; };\n    Two* to = reinterpret_cast<Two*>(y);\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                                  "    to[rank / 32] = reinterpret_cast<const Two*>(x)[rank / 32];\n    y[rank] = to[rank & 7].b;\n    to[rank & 3] = to[8 + (rank & 3)];"},
        {"an end in the middle of a copy", "struct Three { float a, b, c; };\n    Three* to = reinterpret_cast<Three*>(y);\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                                           "    to[rank] = reinterpret_cast<const Three*>(x)[rank];\n    if (rank > 40) y[rank << 20] = 1;"},
        {"an end after a multiply-add", "const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n    y[rank] = fmaf(x[rank], 2, 1);\n    if (rank > 40) y[rank << 20] = 1;"},
        {"nothing changes, lanes part, and some write again", "__shared__ float s[256];\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n    s[rank] = 1;\n"
                                                              "    __syncthreads();\n    s[rank] = 1;\n    if (rank & 1) {\n        y[rank] = x[rank];\n        s[rank] = 2;\n"
                                                              "    } else y[rank] = x[rank + 1];"},
        {"copies to the left", "struct Two { float a, b; };\n    Two* to = reinterpret_cast<Two*>(y);\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                               "    to[rank] = reinterpret_cast<const Two*>(x)[rank];\n    __syncthreads();\n    to[rank] = to[rank + 1];"},
        {"an end in the middle of copies to the left", "struct Two { float a, b; };\n    Two* to = reinterpret_cast<Two*>(y);\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                                                       "    to[rank] = reinterpret_cast<const Two*>(x)[rank];\n    __syncthreads();\n    to[rank] = to[rank + 1];\n"
                                                       "    if (rank > 40) y[rank << 20] = 1;"},
        {"copies to the right", "struct Two { float a, b; };\n    Two* to = reinterpret_cast<Two*>(y);\n    const int rank = threadIdx.y * blockDim.x + threadIdx.x;\n"
                                "    to[rank] = reinterpret_cast<const Two*>(x)[rank];\n    __syncthreads();\n    to[rank] = to[(rank & ~31) + ((rank + 31) & 31)];\n"
                                "    if (rank & 1) to[rank] = to[rank ^ 2];"},
        {"the same value again", "y[row] = 1;\n    if (y[row] == 1) y[row] = y[row];\n    y[row] = 2;"},
    };
    const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("gradus traced {}.cu", getpid());
    for (const auto& [name, body] : rows) {
        const Row row(name);
        std::ofstream(file) << "__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {\n"
                               "    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;\n    "
                            << body << "\n}\n";
        for (const std::uint64_t schedule : {0u, 3u}) {
            KernelRequest request;
            std::tie(request.ladder, request.rung) = find_rung("transpose/1_naive");
            request.sizes = {{"rows", 64}, {"columns", 64}};
            request.source = file.string();
            request.recording.wanted = true;
            request.options.schedule = schedule;
            const KernelRun run = run_kernel(request);
            REQUIRE(run.end.done && run.trace, run.end.why);
            std::size_t ends = 0;
            for (const KernelTrace::Range& range : run.trace->ranges) ends += range.end_hash != 0;
            CHECK(ends >= 2);
            check_there_and_back(run.trace, name);
        }
    }
    std::filesystem::remove(file);
}
