#include "engine/trace/derive/warp_work.hpp"

#include "tests/simt/traced.hpp"

using namespace gradus;
using namespace gradus::simt;
using namespace gradus::test;

namespace {

/// The first warp of the first block of a launch of a rung.
WarpWork first_warp(const std::string& name, const Problem& sizes, Dim3 block) {
    const KernelRun run = recorded_whole(name, sizes, block);
    REQUIRE(run.trace != nullptr, run.end.why);
    return work_of(KernelBlock(run.trace, 0), 0);
}

} // namespace

TEST(a_warps_work_is_what_its_lanes_do) {
    const WarpWork naive = first_warp("matmul/1_naive", {{"M", 32}, {"N", 32}, {"K", 32}}, {32, 8, 1});
    CHECK_EQUAL(naive.total(Work::multiply_adds), 32 * 32);
    CHECK_EQUAL(naive.loads, 32 * (2 * 32 + 1));
    CHECK_EQUAL(naive.total(Work::bytes), 4 * naive.loads);
    CHECK_EQUAL(naive.total(Work::steps), static_cast<std::int64_t>(naive.steps.size()));
    CHECK_EQUAL(naive.sectors.back(), 32 * (32 + 1) + 32); // A a row apart, B the same for all; C a row apart
    CHECK_EQUAL(naive.wavefronts.back(), 0);
    const WarpWork tiled = first_warp("transpose/2_tiled", {{"rows", 32}, {"columns", 32}}, {32, 8, 1});
    CHECK_EQUAL(tiled.total(Work::multiply_adds), 0);
    CHECK_EQUAL(tiled.total(Work::bytes), 2 * 4 * 32 * 4); // four rows each way
    CHECK_EQUAL(tiled.wavefronts.back(), 4 * 1 + 4 * 32);
    for (const WarpWork* each : {&naive, &tiled})
        for (const Work work : {Work::multiply_adds, Work::bytes, Work::steps}) CHECK(std::is_sorted(each->of(work).begin(), each->of(work).end()));
}

TEST(two_rungs_are_as_far_as_each_other) {
    const Problem product{{"M", 64}, {"N", 64}, {"K", 64}}, moved{{"rows", 64}, {"columns", 64}};
    const struct {
        const char *a, *b;
        Problem sizes;
        Dim3 block;
        Work work;
    } rows[] = {
        {"matmul/1_naive", "matmul/3_shared", product, {16, 16, 1}, Work::multiply_adds},
        {"matmul/3_shared", "matmul/5_tile_2d", product, {16, 16, 1}, Work::multiply_adds},
        {"matmul/2_coalesced", "matmul/2_coalesced", product, {16, 16, 1}, Work::multiply_adds},
        {"transpose/1_naive", "transpose/3_padded", moved, {32, 8, 1}, Work::bytes},
    };
    for (const auto& row : rows) {
        const Row named(row.b);
        const WarpWork a = first_warp(row.a, row.sizes, row.block), b = first_warp(row.b, row.sizes, row.block);
        CHECK(common_work(a, b) == row.work && common_work(b, a) == row.work);
        for (const auto& [from, to] : {std::pair{&a, &b}, {&b, &a}, {&a, &a}}) {
            const std::vector<std::int64_t>&here = from->of(row.work), &there = to->of(row.work);
            std::size_t before = 0;
            for (std::size_t i = 0; i < here.size(); ++i) {
                const std::size_t at = same_share(*from, i, *to, row.work);
                CHECK(at >= before && at < there.size());
                if (from == to) CHECK_EQUAL(at, i);
                before = at;
                if (i == 0 || i + 1 == here.size()) continue;
                CHECK(there[at] * here.back() >= here[i] * there.back()); // no less than the same share
                const auto first = static_cast<std::size_t>(std::lower_bound(there.begin(), there.end(), there[at]) - there.begin());
                CHECK(first == 0 || there[first - 1] * here.back() < here[i] * there.back()); // and no more than it must be
            }
            CHECK_EQUAL(same_share(*from, 0, *to, row.work), 0u);
            CHECK_EQUAL(before, there.size() - 1);
        }
    }
    CHECK_EQUAL(same_share(WarpWork(), 0, WarpWork(), Work::steps), 0u);
}

TEST(a_step_of_the_block_has_a_number_in_the_warps_way) {
    WarpWork work;
    work.steps = {4, 7, 9};
    for (const auto& [step, number] : {std::pair{0, 0}, {4, 0}, {6, 0}, {7, 1}, {8, 1}, {9, 2}, {100, 2}}) CHECK_EQUAL(work.number_at(static_cast<std::size_t>(step)), static_cast<std::size_t>(number));
}
