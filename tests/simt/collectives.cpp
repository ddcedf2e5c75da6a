// What lanes hand to each other, as the record has it: each collective with what every lane hands in and what it gets.

#include "engine/simt/kernel_run.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "tests/simt/edited.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

/// copy/1_naive of so many elements in one block, with a body of one's own.
KernelRun recorded(const std::string& body, std::int64_t n, std::uint64_t schedule = 0) {
    const Edited edited(
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#include <cuda_fp16.h>\n"
        "__global__ void copy_naive(const float* x, float* y, int n) {\n    const int i = threadIdx.x;\n" +
        body + "\n}\n");
    KernelRequest request;
    std::tie(request.ladder, request.rung) = find_rung("copy/1_naive");
    request.sizes = {{"n", n}};
    request.block = {256, 1, 1};
    request.source = edited.path.string();
    request.recording.wanted = true;
    request.options.schedule = schedule;
    return run_kernel(request);
}

/// The first recorded collective of that name, of a warp.
std::optional<std::size_t> find(const KernelTrace& trace, const std::string& name, int warp = 0) {
    for (std::size_t i = 0; i < trace.steps(); ++i)
        if (trace.log.warp[i] == warp && trace.collective(i).name == name) return i;
    return std::nullopt;
}

using OfLane = std::function<std::uint64_t(unsigned lane)>;

} // namespace

TEST(a_collective_says_what_each_lane_hands_in_and_gets) {
    const auto integer = [](unsigned lane) { return std::uint64_t{lane * 7 % 5}; };
    const auto real = [](unsigned lane) {
        return std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(lane) + 0.5F)};
    };
    const auto half_bits = [](unsigned lane) {
        return std::uint64_t{
            lane ? (15 + std::bit_width(lane) - 1) << 10 | (lane << (11 - std::bit_width(lane)) & 0x3ff) : 0};
    };
    const auto all = [](std::uint64_t value) { return [value](unsigned) { return value; }; };
    std::uint64_t odd = 0, sum = 0, bits = ~std::uint64_t{0};
    for (unsigned lane = 0; lane < 32; ++lane)
        odd |= std::uint64_t{lane % 3 == 1} << lane, sum += lane * 7 % 5, bits &= lane | 0x40;
    const auto matches = [&](unsigned lane) {
        std::uint64_t same = 0;
        for (unsigned other = 0; other < 32; ++other) same |= std::uint64_t{integer(other) == integer(lane)} << other;
        return same;
    };
    const struct {
        const char *body, *name;
        ValueKind given, got;
        OfLane in, out;
        int first_asks; ///< the lane that lane 3 asks
    } rows[] = {
        {"y[i] = __shfl_sync(~0u, i + 0.5f, 5);", "__shfl_sync", ValueKind::f32, ValueKind::f32, real, all(real(5)), 5},
        {"y[i] = __shfl_down_sync(~0u, i + 0.5f, 2);", "__shfl_down_sync", ValueKind::f32, ValueKind::f32, real,
         [&](unsigned l) { return real(l + 2 < 32 ? l + 2 : l); }, 5},
        {"y[i] = __shfl_up_sync(~0u, i + 0.5f, 2);", "__shfl_up_sync", ValueKind::f32, ValueKind::f32, real,
         [&](unsigned l) { return real(l < 2 ? l : l - 2); }, 1},
        {"y[i] = __shfl_xor_sync(~0u, i * 7 % 5, 1, 8);", "__shfl_xor_sync", ValueKind::i32, ValueKind::i32, integer,
         [&](unsigned l) { return integer(l ^ 1); }, 2},
        {"y[i] = __shfl_sync(~0u, (double)i, 31);", "__shfl_sync", ValueKind::f64, ValueKind::f64,
         [](unsigned l) { return std::bit_cast<std::uint64_t>(static_cast<double>(l)); },
         all(std::bit_cast<std::uint64_t>(31.0)), 31},
        {"__half h = i; y[i] = __shfl_xor_sync(~0u, h, 1);", "__shfl_xor_sync", ValueKind::f16, ValueKind::f16,
         half_bits, [&](unsigned l) { return half_bits(l ^ 1); }, 2},
        {"y[i] = __ballot_sync(~0u, i % 3 == 1);", "__ballot_sync", ValueKind::boolean, ValueKind::lanes,
         [](unsigned l) { return std::uint64_t{l % 3 == 1}; }, all(odd), -1},
        {"y[i] = __any_sync(~0u, i % 3 == 1);", "__any_sync", ValueKind::boolean, ValueKind::boolean,
         [](unsigned l) { return std::uint64_t{l % 3 == 1}; }, all(1), -1},
        {"y[i] = __all_sync(~0u, i % 3 == 1);", "__all_sync", ValueKind::boolean, ValueKind::boolean,
         [](unsigned l) { return std::uint64_t{l % 3 == 1}; }, all(0), -1},
        {"y[i] = __match_any_sync(~0u, i * 7 % 5);", "__match_any_sync", ValueKind::i32, ValueKind::lanes, integer,
         matches, -1},
        {"int same; y[i] = __match_all_sync(~0u, 9, &same);", "__match_all_sync", ValueKind::i32, ValueKind::lanes,
         all(9), all(0xffffffff), -1},
        {"y[i] = __reduce_add_sync(~0u, i * 7 % 5);", "__reduce_add_sync", ValueKind::i32, ValueKind::i32, integer,
         all(sum), -1},
        {"y[i] = __reduce_and_sync(~0u, i | 0x40u);", "__reduce_and_sync", ValueKind::u32, ValueKind::u32,
         [](unsigned l) { return std::uint64_t{l | 0x40}; }, all(bits), -1},
        {"namespace cg = cooperative_groups; auto t = cg::tiled_partition<16>(cg::this_thread_block()); y[i] = "
         "t.shfl_down(i + 0.5f, 3);",
         "__shfl_down_sync", ValueKind::f32, ValueKind::f32, real,
         [&](unsigned l) { return real(l % 16 < 13 ? l + 3 : l); }, 6},
        {"namespace cg = cooperative_groups; auto t = cg::tiled_partition<32>(cg::this_thread_block()); y[i] = "
         "t.ballot(i % 3 == 1);",
         "__ballot_sync", ValueKind::boolean, ValueKind::lanes, [](unsigned l) { return std::uint64_t{l % 3 == 1}; },
         all(odd), -1},
        {"namespace cg = cooperative_groups; auto t = cg::tiled_partition<32>(cg::this_thread_block()); y[i] = "
         "cg::reduce(t, i + 0.5f, cg::plus<float>());",
         "__shfl_xor_sync", ValueKind::f32, ValueKind::f32, real, [&](unsigned l) { return real(l ^ 16); }, 19},
    };
    for (const auto& row : rows) {
        const Row named(row.body);
        for (const std::uint64_t schedule : {0u, 4u}) {
            const KernelRun run = recorded(row.body, 256, schedule);
            REQUIRE(run.end.done && run.trace, run.end.why);
            const auto step = find(*run.trace, row.name);
            REQUIRE(step.has_value());
            const KernelTrace::Collective met = run.trace->collective(*step);
            CHECK(met.given == row.given && met.got == row.got);
            // A tile's lanes meet apart from the other tiles'.
            REQUIRE(met.count == static_cast<std::size_t>(std::popcount(run.trace->log.mask[*step])) &&
                    met.count >= 16);
            for (const KernelTrace::Handed& lane : met.all()) {
                CHECK(lane.given == row.in(lane.lane), fmt::format("lane {} hands in {:x}", lane.lane, lane.given));
                CHECK(lane.got == row.out(lane.lane),
                      fmt::format("lane {} gets {:x}, not {:x}", lane.lane, lane.got, row.out(lane.lane)));
                if (lane.lane == 3) CHECK_EQUAL(lane.asks, row.first_asks);
            }
        }
    }
}

/// In words and in bits, at the lane; what takes no value still says its name.
TEST(a_lane_says_what_it_handed_in) {
    const KernelRun run = recorded("__syncwarp();\n    y[i] = __shfl_down_sync(~0u, i + 0.5f, 2);", 256);
    REQUIRE(run.end.done && run.trace, run.end.why);
    const auto step = find(*run.trace, "__shfl_down_sync"), sync = find(*run.trace, "__syncwarp");
    REQUIRE(step && sync);
    CHECK_EQUAL(run.trace->collective(*sync).count, std::size_t{0});
    const KernelEvents events(run.trace, 1, "launches");
    const EventSite* site = events.find(events.of_step(*step));
    REQUIRE(site != nullptr);
    CHECK_EQUAL(site->name, std::string("collective __shfl_down_sync"));
    const EventSite* lane = events.step(site->ordinal, Level::lane, 1);
    REQUIRE(lane != nullptr);
    std::string words;
    for (const EventAttribute& each : lane->attributes) words += each.name + ": " + each.value + "; ";
    CHECK(words.find("handed_in: 0.5 = 3f000000; from_lane: 2; got: 2.5 = 40200000;") != std::string::npos, words);
}
