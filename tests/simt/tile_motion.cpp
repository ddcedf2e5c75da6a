#include "engine/trace/derive/tile_motion.hpp"

#include "engine/trace/file/kernel_codec.hpp"
#include "tests/simt/traced.hpp"

#include <algorithm>

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

std::shared_ptr<const KernelTrace> trace_of(const std::string& name, const Problem& sizes, Dim3 block = {0, 0, 0}) {
    const KernelRun run = recorded_whole(name, sizes, block);
    REQUIRE(run.trace != nullptr, run.end.why);
    return run.trace;
}

TileMotion motion_of(const std::shared_ptr<const KernelTrace>& trace, std::uint32_t number) {
    const auto& blocks = trace->log.blocks;
    const auto at = std::find_if(blocks.begin(), blocks.end(), [&](const KernelLog::Block& block) { return block.number == number; });
    REQUIRE(at != blocks.end());
    return TileMotion(std::make_shared<const KernelBlock>(trace, static_cast<std::size_t>(at - blocks.begin())));
}

std::size_t array_of(const TileMotion& motion, std::string_view name) {
    for (std::size_t i = 0; i < motion.arrays().size(); ++i)
        if (motion.arrays()[i].name == name) return i;
    return motion.arrays().size();
}

std::vector<std::int64_t> touched(const BlockPhase& phase, std::size_t array) {
    std::vector<std::int64_t> out;
    for (const BlockPhase::Touch& touch : phase.touches)
        if (touch.array == array) out.push_back(touch.element);
    return out;
}

std::vector<std::int64_t> rectangle(std::int64_t top, std::int64_t left, std::int64_t rows, std::int64_t columns, std::int64_t width) {
    std::vector<std::int64_t> out;
    for (std::int64_t row = top; row < top + rows; ++row)
        for (std::int64_t column = left; column < left + columns; ++column) out.push_back(row * width + column);
    return out;
}

std::int64_t of(const TileBytes& moved, TileWay way) { return moved[static_cast<std::size_t>(way)]; }

} // namespace

TEST(tiles_of_a_product_come_and_go_with_its_barriers) {
    const auto trace = trace_of("matmul/3_shared", {{"M", 64}, {"N", 48}, {"K", 32}}, {16, 16, 1});
    const TileMotion motion = motion_of(trace, 2 * 3 + 1); // C[32:48,16:32]
    const std::size_t a = array_of(motion, "A"), b = array_of(motion, "B"), c = array_of(motion, "C"), a_tile = array_of(motion, "a_tile"), b_tile = array_of(motion, "b_tile");
    REQUIRE(motion.arrays().size() == 5 && std::max({a, b, c, a_tile, b_tile}) < 5);
    CHECK(motion.arrays()[a].rows == 64 && motion.arrays()[a].columns == 32 && motion.arrays()[a_tile].rows == 16 && motion.arrays()[a_tile].columns == 16);
    REQUIRE(motion.phases() == 2 * 2 + 1);
    const auto tile = rectangle(0, 0, 16, 16, 16);
    std::size_t at = motion.block().begin();
    for (std::size_t number = 0; number < 5; ++number) {
        const Row row(std::to_string(number));
        const BlockPhase& phase = motion.phase(number);
        CHECK_EQUAL(phase.begin, at);
        at = phase.end;
        CHECK(motion.phase_of(phase.begin) == number && motion.phase_of(phase.end - 1) == number);
        const TileBytes moved = motion.moved(phase.end - 1);
        const bool loads = number % 2 == 0 && number < 4, computes = number % 2 == 1, stores = number == 4;
        const auto k = static_cast<std::int64_t>(number / 2) * 16;
        CHECK(touched(phase, a) == (loads ? rectangle(32, k, 16, 16, 32) : std::vector<std::int64_t>()));
        CHECK(touched(phase, b) == (loads ? rectangle(k, 16, 16, 16, 48) : std::vector<std::int64_t>()));
        CHECK(touched(phase, c) == (stores ? rectangle(32, 16, 16, 16, 48) : std::vector<std::int64_t>()));
        for (const std::size_t each : {a_tile, b_tile}) CHECK(touched(phase, each) == (stores ? std::vector<std::int64_t>() : tile));
        CHECK_EQUAL(of(moved, TileWay::load), loads ? 2 * 256 * 4 : 0);
        CHECK_EQUAL(of(moved, TileWay::shared_store), loads ? 2 * 256 * 4 : 0);
        CHECK_EQUAL(of(moved, TileWay::shared_load), computes ? 256 * 16 * 2 * 4 : 0);
        CHECK_EQUAL(of(moved, TileWay::store), stores ? 256 * 4 : 0);
        CHECK_EQUAL(of(moved, TileWay::copy), 0);
    }
    CHECK_EQUAL(at, motion.block().end());
    for (const std::size_t number : {4U, 0U, 3U, 1U, 2U, 0U, 4U}) CHECK_EQUAL(motion.phase(number).touches.empty(), false); // kept or made again
}

/// Step by step what has moved only grows within a phase, and a step's own way and elements are part of it.
TEST(a_step_is_part_of_its_phase) {
    const TileMotion motion = motion_of(trace_of("transpose/2_tiled", {{"rows", 64}, {"columns", 64}}), 1);
    TileBytes before{};
    std::size_t phase = 0, moving = 0;
    for (std::size_t step = motion.block().begin(); step < motion.block().end(); ++step) {
        if (motion.phase_of(step) != phase) before = {}, phase = motion.phase_of(step);
        const TileBytes moved = motion.moved(step);
        const auto way = motion.way_of(step);
        for (std::size_t i = 0; i < tile_ways; ++i) CHECK_EQUAL(moved[i] - before[i], way == static_cast<TileWay>(i) ? 128 : 0); // 32 lanes, 4 bytes
        before = moved;
        moving += way.has_value();
        const auto own = motion.touched_by(step);
        CHECK_EQUAL(own.size(), way ? std::size_t{32} : std::size_t{0});
        for (const BlockPhase::Touch& touch : own) {
            const auto& all = motion.phase(phase).touches;
            CHECK(std::any_of(all.begin(), all.end(), [&](const BlockPhase::Touch& one) { return one.array == touch.array && one.element == touch.element && one.first <= step; }));
        }
    }
    CHECK(moving > 0);
    CHECK_EQUAL(motion.phases(), std::size_t{2});
}

TEST(an_asynchronous_copy_goes_past_the_registers) {
    const auto trace = trace_of("matmul/8_double_buffered", {{"M", 128}, {"N", 128}, {"K", 32}});
    const TileMotion motion = motion_of(trace, 0);
    TileBytes all{};
    for (std::size_t number = 0; number < motion.phases(); ++number) {
        const TileBytes moved = motion.moved(motion.phase(number).end - 1);
        for (std::size_t i = 0; i < tile_ways; ++i) all[i] += moved[i];
    }
    CHECK(of(all, TileWay::copy) > 0);
    CHECK_EQUAL(of(all, TileWay::load), 0);
    CHECK_EQUAL(of(all, TileWay::shared_store), 0);
    CHECK(of(all, TileWay::shared_load) > of(all, TileWay::copy));
}

TEST(without_a_barrier_there_is_one_phase) {
    const TileMotion motion = motion_of(trace_of("matmul/1_naive", {{"M", 32}, {"N", 32}, {"K", 32}}, {16, 16, 1}), 3);
    CHECK_EQUAL(motion.phases(), std::size_t{1});
    const BlockPhase& phase = motion.phase(0);
    CHECK(touched(phase, array_of(motion, "A")) == rectangle(16, 0, 16, 32, 32));
    CHECK(touched(phase, array_of(motion, "B")) == rectangle(0, 16, 32, 16, 32));
    CHECK(touched(phase, array_of(motion, "C")) == rectangle(16, 16, 16, 16, 32));
}

TEST(shared_memory_has_the_types_of_its_variables) {
    const struct {
        const char *rung, *variable;
        ValueKind kind;
        std::vector<std::uint32_t> sizes;
    } rows[] = {
        {"matmul/3_shared", "a_tile", ValueKind::f32, {16, 16}},
        {"transpose/3_padded", "tile", ValueKind::f32, {32, 33}},
        {"histogram/2_shared", "counts", ValueKind::u32, {256}},
        {"histogram/3_per_warp", "counts", ValueKind::u32, {0}},
        {"matmul_half/4_mma", "a_tile", ValueKind::f16, {64, 24}},
        {"matmul_half/3_wmma_bf16", "a_tile", ValueKind::bf16, {64, 24}},
        {"mean_squared_error/2_block", "squares", ValueKind::f64, {0}},
    };
    for (const auto& row : rows) {
        const Row named(row.rung);
        const auto trace = trace_of(row.rung, {});
        bool found = false;
        for (const KernelTrace::Variable& variable : trace->variables) {
            if (variable.name != row.variable) continue;
            CHECK(variable.kind == row.kind, std::string(name_of(variable.kind)));
            found = found || (variable.sizes.size() == row.sizes.size() && variable.sizes.back() == row.sizes.back()); // each instance of a template has its own
        }
        CHECK(found);
        CHECK(file::kernel_from_bytes(file::kernel_to_bytes(*trace), "bytes").variables == trace->variables);
    }
    // A count is a count, not the fp32 of its bits.
    const auto trace = trace_of("histogram/2_shared", {});
    std::int64_t counted = 0;
    for (std::size_t step = 0; step < trace->steps() && counted < 100; ++step) {
        if (trace->log.sites[trace->log.site[step]].op != Op::atomic) continue;
        const KernelTrace::Accesses accesses = trace->accesses(step);
        for (const KernelTrace::Access& access : accesses.all()) {
            if (trace->ranges[access.range].space != Space::shared) continue;
            const std::string before = trace->text_at(access.range, access.offset, access.before), after = trace->text_at(access.range, access.offset, access.after);
            CHECK_EQUAL(std::stol(after), std::stol(before) + 1);
            ++counted;
        }
    }
    CHECK(counted > 0);
}

TEST(bytes_of_no_known_type_are_no_numbers) {
    KernelTrace trace;
    trace.ranges = {{.name = "stack", .space = Space::local, .bytes = 64}, {.name = "shared memory", .space = Space::shared, .bytes = 64}};
    trace.variables = {{"mixed", 0, 16, ValueKind::bits}, {"pair", 16, 16, ValueKind::f64}};
    const double pair[] = {1.5, -2};
    const float one = 0.25f;
    const auto bytes = std::as_bytes(std::span(pair));
    for (const std::uint8_t range : {0, 1}) {
        CHECK_EQUAL(trace.text_at(range, 0, std::as_bytes(std::span(&one, 1))), std::string("0.25"));
        CHECK_EQUAL(trace.text_at(range, 0, bytes.first(8)), std::string("0x3ff8000000000000"));
    }
    CHECK_EQUAL(trace.text_at(1, 16, bytes), std::string("1.5, -2"));
}

/// A file says what its writer liked.
TEST(arrays_are_never_larger_than_their_memory) {
    KernelTrace trace = *trace_of("matmul/3_shared", {{"M", 16}, {"N", 16}, {"K", 16}}, {16, 16, 1});
    for (KernelTrace::Variable& variable : trace.variables) variable.bytes = ~std::uint64_t{0}, variable.sizes = {~0u, ~0u, ~0u, ~0u};
    const TileMotion motion = motion_of(std::make_shared<const KernelTrace>(trace), 0);
    for (const TileArray& array : motion.arrays())
        CHECK(array.offset + static_cast<std::uint64_t>(array.rows * array.columns) * array.element <= trace.ranges[array.range].bytes, array.name);
    CHECK(!motion.phase(0).touches.empty());
}
