#include "engine/core/error.hpp"
#include "engine/trace/derive/kernel_coverage.hpp"
#include "engine/trace/derive/kernel_turns.hpp"
#include "tests/support/check.hpp"

#include <bit>

using namespace gradus;
using namespace gradus::test;

namespace {

/// A warp of a block of 32 threads at four lines of a file; each row is a step: its line, its lanes, the element of y that its lane n writes
/// at first + n, or -1 where it writes nothing.
struct StepRow {
    std::int32_t line;
    std::uint32_t mask;
    std::int64_t first;
};

KernelTrace made(const std::vector<StepRow>& rows, std::vector<std::int64_t> sizes) {
    KernelTrace trace;
    trace.files = {"k.cu"}, trace.sources = {"// y[i] in a comment\nload x\nloop\ny[i] = v\n"};
    std::int64_t elements = 1;
    for (const std::int64_t size : sizes) elements *= size;
    KernelTrace::Range y;
    y.name = "y", y.bytes = 4 * static_cast<std::uint64_t>(elements), y.sizes = std::move(sizes), y.output = true;
    trace.ranges = {y};
    trace.launches.push_back({"k", {1}, {32}});
    trace.log.blocks = {{0, 0, 0}};
    for (const StepRow& row : rows) {
        const bool writes = row.first >= 0;
        trace.log.sites.push_back({0, static_cast<std::uint16_t>(writes ? 4 : 0), writes ? simt::Op::write : simt::Op::branch, 0});
        trace.sites.push_back({{0, row.line, 1}, {}, {}, {}});
        trace.lines.push_back({0, {0, row.line, 1}, writes ? simt::Op::write : simt::Op::branch, simt::Space::global, "y", 4, 1, std::popcount(row.mask), 1, 1, 1});
        trace.log.site.push_back(static_cast<std::uint32_t>(trace.log.sites.size()) - 1);
        trace.log.mask.push_back(row.mask), trace.log.warp.push_back(0);
        const auto put = [&](const auto& value) {
            const auto* bytes = reinterpret_cast<const std::byte*>(&value);
            trace.log.payload.insert(trace.log.payload.end(), bytes, bytes + sizeof value);
        };
        if (!writes) {
            put(KernelLog::Form::none);
            continue;
        }
        put(KernelLog::Form::even), put(std::uint8_t{0}), put(std::int64_t{4 * (row.first + std::countr_zero(row.mask))}), put(std::int32_t{4});
        for (int lane = 0; lane < 2 * std::popcount(row.mask); ++lane) put(float{0}); // before and after
    }
    trace.index("k.gradus");
    return trace;
}

} // namespace

TEST(elements_have_names_and_so_have_rectangles) {
    KernelTrace::Range vector, matrix, cube;
    vector.name = "y", vector.sizes = {100};
    matrix.name = "C", matrix.sizes = {5, 8};
    cube.name = "t", cube.sizes = {2, 3, 4};
    CHECK_EQUAL(element_name(vector, 7), "y[7]");
    CHECK_EQUAL(element_name(matrix, 8 * 3 + 5), "C[3,5]");
    CHECK_EQUAL(element_name(cube, 23), "t[1,2,3]");
    CHECK_EQUAL(rectangle_name(vector, {4, 5, 6}), "y[4:7]");
    CHECK_EQUAL(rectangle_name(vector, {4, 6, 7}), "");
    CHECK_EQUAL(rectangle_name(matrix, {10, 11, 18, 19}), "C[1:3,2:4]");
    CHECK_EQUAL(rectangle_name(matrix, {10, 11, 18, 20}), "");
    CHECK_EQUAL(rectangle_name(matrix, {7, 8}), ""); // the end of a row and the beginning of the next
    CHECK_EQUAL(rectangle_name(matrix, {}), "");
    CHECK_EQUAL(rectangle_name(cube, {0, 1}), "");
}

TEST(writes_of_every_element_are_counted) {
    const KernelTrace trace = made({{2, ~0u, -1}, {4, 0xffff, 10}, {4, 0xff00, 10}}, {64});
    const KernelCoverage found = kernel_coverage(trace, "");
    for (std::size_t i = 0; i < 64; ++i) CHECK_EQUAL(found.writes[i], (i >= 10 && i < 26 ? 1 : 0) + (i >= 18 && i < 26 ? 1 : 0));
    CHECK(found.written == 16 && found.untouched == 48 && found.most == 2);
    CHECK_THROWS(kernel_coverage(trace, "z"), ArgumentError, "'z'");
    std::vector<std::int64_t> elements;
    for (std::int64_t i = 10; i < 26; ++i) elements.push_back(i);
    CHECK_EQUAL(elements_of_warp(trace, 0, 0, 0), elements);
    CHECK(elements_of_warp(trace, 0, 1, 0).empty());
}

TEST(lanes_of_a_warp_part_and_meet) {
    // Two rounds of all, two of lane 7 alone, and all write.
    const KernelTrace trace = made({{2, ~0u, -1}, {3, ~0u, -1}, {3, ~0u, -1}, {3, 1u << 7, -1}, {3, 1u << 7, -1}, {4, ~0u, 0}}, {32});
    const auto loop = counted_line(trace, "loop"), store = counted_line(trace, "y[i]");
    REQUIRE(loop && store);
    CHECK(loop->line == 3 && store->line == 4); // nothing was counted in the comment
    CHECK(!counted_line(trace, "no such words"));
    const TurnsAtLine turns = turns_at_line(trace, 0, 0, *loop);
    CHECK(turns.turns == 4 && turns.lanes == 66 && turns.longest() == 4 && turns.of_lane[6] == 2);
    CHECK_EQUAL(turns_at_line(trace, 0, 3, *loop).turns, std::int64_t{0});
    CHECK_EQUAL(meeting_step(trace, 0, 0).value(), std::size_t{5});
    CHECK_EQUAL(first_mask(trace, 0, 0), ~0u);
    CHECK(!meeting_step(made({{2, 0xff, -1}, {3, 0xf, -1}, {3, 0xf0, -1}}, {32}), 0, 0)); // they part for good
    CHECK(!meeting_step(made({{2, 0xff, -1}, {4, 0xff, 0}}, {32}), 0, 0));                // they never part
}
