// What lanes do together, in the shim's words (engine/simt/shim). The kernels are in shim/, compiled as the interpreter's are; here they
// run under the plainest of runtimes, and results are compared with CUDA's documentation.

#include "tests/simt/shim/fake_block.hpp"
#include "tests/simt/shim/lanes.hpp"
#include "tests/simt/shim/matrices.hpp"

#include "tests/support/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

using namespace gradus::shim_test;
using namespace gradus::test;

namespace {

/// PTX ISA, "shfl.sync": the lane that a value comes from, or this lane.
int source_of(const Shuffle& of, int lane) {
    const int first = lane / of.width * of.width, last = first + of.width - 1, distance = of.distance & 31;
    int source = lane;
    if (of.kind == 0) source = first + (of.distance & (of.width - 1));
    if (of.kind == 1) source = lane - distance < first ? lane : lane - distance;
    if (of.kind == 2) source = lane + distance > last ? lane : lane + distance;
    if (of.kind == 3) source = (lane ^ distance) > last ? lane : lane ^ distance;
    return of.mask >> source & 1 ? source : lane;
}

} // namespace

TEST(shuffles_take_values_from_where_the_isa_says) {
    FakeBlock block(32);
    for (const unsigned mask : {0xffffffffu, 0x0000ffffu, 0x5a5a00ffu})
        for (const int width : {32, 16, 8, 4, 2, 1})
            for (int kind = 0; kind < 4; ++kind)
                for (const int distance : {0, 1, 2, 3, 7, 8, 16, 31, 33, -1}) {
                    Shuffle of{.kind = kind, .mask = mask, .distance = distance, .width = width};
                    Row row(fmt::format("kind {}, mask {:x}, width {}, distance {}", kind, mask, width, distance));
                    CHECK(block.run(shuffle, &of));
                    for (int lane = 0; lane < 32; ++lane) {
                        if (!(mask >> lane & 1)) continue;
                        const int source = source_of(of, lane);
                        CHECK_EQUAL(of.out[lane], 100 + source);
                        CHECK_EQUAL(of.wide[lane], 100.5 + source);
                        CHECK_EQUAL(of.halves[lane], static_cast<float>(source));
                        CHECK_EQUAL(of.pairs[lane], static_cast<float>(source));
                    }
                }
}

TEST(votes_and_matches_count_the_lanes_of_the_mask) {
    FakeBlock block(32);
    for (const unsigned mask : {0xffffffffu, 0x0000ffffu, 0x80000001u, 0x00000010u})
        for (const unsigned yes : {0u, ~0u, 0x5555aaaau, 1u, 0x80000000u}) {
            Row row(fmt::format("mask {:x}, yes {:x}", mask, yes));
            Votes of{.mask = mask, .yes = yes};
            CHECK(block.run(votes, &of));
            CHECK_EQUAL(block.trapped, "");
            unsigned sum = 0, least = ~0u, most = 0, all = ~0u, odd = 0;
            for (unsigned lane = 0; lane < 32; ++lane)
                if (mask >> lane & 1) sum += lane, least = std::min(least, lane + 3), most = std::max(most, lane + 3), all &= lane | 0x100, odd ^= lane;
            for (unsigned lane = 0; lane < 32; ++lane) {
                if (!(mask >> lane & 1)) continue;
                const bool mine = yes >> lane & 1;
                CHECK_EQUAL(of.ballot[lane], mask & yes);
                CHECK_EQUAL(of.any_of[lane], unsigned{(mask & yes) != 0});
                CHECK_EQUAL(of.all_of[lane], unsigned{(mask & yes) == mask});
                CHECK_EQUAL(of.same_any[lane], mine ? mask & yes : mask & ~yes);
                CHECK_EQUAL(of.same_all[lane], (mask & yes) == mask || (mask & yes) == 0 ? mask : 0u);
                CHECK_EQUAL(of.sum[lane], sum);
                CHECK_EQUAL(of.least[lane], least);
                CHECK_EQUAL(of.most[lane], most);
                CHECK_EQUAL(of.bits_and[lane], all);
                CHECK_EQUAL(of.bits_or[lane], mask);
                CHECK_EQUAL(of.bits_xor[lane], odd);
                CHECK_EQUAL(of.signed_least[lane], 5 - static_cast<int>(most - 3));
            }
        }
}

TEST(lanes_that_do_not_exist_are_not_waited_for) {
    FakeBlock block(12);
    Votes of{.mask = 0xffffffffu, .yes = 0xffffffffu};
    CHECK(block.run(votes, &of));
    CHECK_EQUAL(of.ballot[11], 0xfffu);
    CHECK_EQUAL(of.all_of[0], 1u);
    CHECK_EQUAL(of.sum[5], 66u);
    CHECK_EQUAL(of.same_all[3], 0xffffffffu);
}

TEST(barriers_count_and_share) {
    FakeBlock block(64);
    for (const unsigned yes : {0u, 1u, 40u, 64u}) {
        Row row(fmt::format("{} say yes", yes));
        Barriers of{.yes = yes};
        CHECK(block.run(barriers, &of));
        CHECK_EQUAL(block.fences, 64);
        for (int rank = 0; rank < 64; ++rank) {
            CHECK_EQUAL(of.shared_sum[rank], 64 * 63 / 2);
            CHECK_EQUAL(of.count[rank], static_cast<int>(yes));
            CHECK_EQUAL(of.any_of[rank], int{yes > 0});
            CHECK_EQUAL(of.all_of[rank], int{yes == 64});
        }
    }
}

TEST(a_lane_knows_its_place) {
    FakeBlock block(8, 4);
    Places of;
    CHECK(block.run(places, &of));
    for (unsigned rank = 0; rank < 32; ++rank) {
        CHECK_EQUAL(of.thread_x[rank], rank % 8);
        CHECK_EQUAL(of.thread_y[rank], rank / 8);
    }
    const unsigned wanted[] = {2, 4, 8, 4, 5, 7};
    for (int i = 0; i < 6; ++i) CHECK_EQUAL(of.other[i], wanted[i]);
}

TEST(atomics_do_what_they_are_called) {
    FakeBlock block(32);
    Atomics of;
    of.i[5] = 12, of.u[2] = 9;
    CHECK(block.run(atomics, &of));
    const int integers[] = {64, -96, 7, -31, 31, 15, 5};
    for (int i = 0; i < 7; ++i) CHECK_EQUAL(of.i[i], integers[i]);
    CHECK_EQUAL(of.u[0], 32u % 7);
    CHECK_EQUAL(of.u[1], (7 - 32 % 7) % 7u);
    CHECK_EQUAL(of.u[2], 1u);
    CHECK_EQUAL(of.u[3], ~0u);
    CHECK_EQUAL(of.l, 32ull << 40);
    CHECK_EQUAL(of.f, 16.0f);
    CHECK_EQUAL(of.d, 8.0);
    CHECK_EQUAL(of.half, std::uint16_t{0x4c00});    // 16
    CHECK_EQUAL(of.bfloat, std::uint16_t{0x4280});  // 64
    CHECK_EQUAL(of.pair, 0x54005000u);              // 64, 32
    const std::vector<std::string> told{"atomicAdd 4", "atomicSub 4", "atomicExch 4", "atomicMin 4", "atomicMax 4", "atomicAnd 4", "atomicOr 4",
                                        "atomicXor 4", "atomicCAS 4", "atomicCAS 4", "atomicInc 4", "atomicDec 4", "atomicMin 4", "atomicMax_block 4",
                                        "atomicAdd_system 8", "atomicAdd 4", "atomicAdd 8", "atomicAdd 2", "atomicAdd 2", "atomicAdd 4"};
    CHECK_EQUAL(block.atomics, told);
}

TEST(copies_land_at_the_wait) {
    FakeBlock block(1);
    Copies of;
    CHECK(block.run(copies, &of));
    CHECK_EQUAL(of.early, 0.0f);
    CHECK_EQUAL(of.late, 0.0f);
    CHECK_EQUAL(std::vector<float>(of.to, of.to + 6), (std::vector<float>{1, 2, 3, 4, 5, 0}));
}

TEST(words_reach_the_runtime) {
    FakeBlock block(1);
    CHECK(block.run(talks, nullptr));
    CHECK(block.printed.starts_with("%d %f %s %c|ffffffffffffffff|3fe0000000000000|"));
    CHECK(block.printed.ends_with("|63plain %lld %g|10000000000|3ff8000000000000"));
    block.run(fails, nullptr);
    CHECK(block.trapped.starts_with("assert(threadIdx.x > 0) failed"));
}

TEST(multiply_adds_are_reported) {
    FakeBlock block(1);
    float x[] = {1, 2, 3, 4, 5};
    CHECK(block.run(counts_fmas, x));
    CHECK_EQUAL(std::vector<float>(x, x + 5), (std::vector<float>{3, 5, 7, 9, 11}));
    CHECK_EQUAL(block.fmas, hooked ? 4 : 0);
}

TEST(groups_divide_the_block) {
    FakeBlock block(64);
    Groups of;
    CHECK(block.run(groups, &of));
    CHECK_EQUAL(block.trapped, "");
    for (unsigned rank = 0; rank < 64; ++rank) {
        Row row(fmt::format("rank {}", rank));
        CHECK_EQUAL(of.rank16[rank], rank % 16);
        CHECK_EQUAL(of.meta16[rank], rank / 16);
        CHECK_EQUAL(of.metas16[rank], 4u);
        CHECK_EQUAL(of.meta8[rank], rank % 32 / 8);
        CHECK_EQUAL(of.rank_group[rank], rank % 4 * 10 + 4);
        CHECK_EQUAL(of.sum[rank], static_cast<float>(32 * 31 / 2 + rank / 32 * 32 * 32));
        CHECK_EQUAL(of.least8[rank], static_cast<int>(rank / 8 * 8));
        CHECK_EQUAL(of.half_sum[rank], 24.0f);
        CHECK_EQUAL(of.scan[rank], static_cast<int>(rank % 32 * 2 + 2));
        CHECK_EQUAL(of.before[rank], static_cast<int>(rank % 32 * 2));
        CHECK_EQUAL(of.active_rank[rank], rank % 32 / 2);
        CHECK_EQUAL(of.active_size[rank], 16u);
        CHECK_EQUAL(of.odd_sum[rank], rank % 2 ? 16 * 16 : 16 * 15);
        unsigned ballot = 0;
        for (unsigned i = 0; i < 8; ++i) ballot |= unsigned{(rank / 8 * 8 + i) % 3 == 0} << i;
        CHECK_EQUAL(of.ballot8[rank], ballot);
    }
}

/// Against the plain product; small whole numbers, so that it is exact whatever the order of the sums.
TEST(fragments_multiply_as_matrices_do) {
    FakeBlock block(32);
    for (const auto& [name, m, n, k, kernel] : matrix_kernels)
        for (int layouts = 0; layouts < 8; ++layouts) {
            Row row(fmt::format("{}, layouts {}", name, layouts));
            std::vector<double> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)), c(static_cast<std::size_t>(m * n)), d(c.size(), -1);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * 7 % 11);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i * 5 % 13);
            for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<double>(i * 3 % 17);
            Matrices of{(layouts & 1) != 0, (layouts & 2) != 0, (layouts & 4) != 0, a.data(), b.data(), c.data(), d.data()};
            CHECK(block.run(kernel, &of));
            const std::vector<std::string> met{"load_matrix_sync", "load_matrix_sync", "load_matrix_sync", "mma_sync", "store_matrix_sync"};
            CHECK_EQUAL(block.meetings, met);
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j) {
                    double sum = of.c[i * n + j];
                    for (int l = 0; l < k; ++l) sum += of.a[i * k + l] * of.b[l * n + j];
                    CHECK_EQUAL(of.d[i * n + j], 2 * sum);
                }
        }
}

/// An access of the source is one call of the compiler's hooks, and nothing else is.
TEST(hooks_see_the_kernels_accesses_and_no_others) {
    if (!hooked) skip("built without the compiler's hooks; test_shim_hooked has them");
    FakeBlock block(32);
    Accesses of;
    const auto x = [&](int i) -> const void* { return of.x + i; };
    const auto h = [&](int i) -> const void* { return of.h + i; };
    const std::vector<std::pair<const char*, std::vector<FakeBlock::Access>>> rows{
        {"x[1] = x[0] + 1", {{'r', 4, x(0)}, {'w', 4, x(1)}}},
        {"float4 = float4", {{'w', 16, x(4)}, {'r', 16, x(0)}}},
        {"float4 = make_float4(…)", {{'r', 4, x(7)}, {'r', 4, x(6)}, {'r', 4, x(5)}, {'r', 4, x(4)}, {'w', 16, x(0)}}},
        {"float4 = f(float4)", {{'r', 16, x(8)}, {'w', 16, x(0)}}},
        {"__ldg", {{'r', 4, x(1)}, {'w', 4, x(0)}}},
        {"__hadd", {{'r', 2, h(1)}, {'r', 2, h(2)}, {'w', 2, h(0)}}},
        {"half += half", {{'r', 2, h(1)}, {'r', 2, h(0)}, {'w', 2, h(0)}}},
        {"float = half", {{'r', 2, h(3)}, {'w', 4, x(0)}}},
        {"__hfma2", {{'r', 4, h(2)}, {'r', 4, h(4)}, {'r', 4, h(6)}, {'w', 4, h(0)}}},
        {"__float2half", {{'r', 4, x(0)}, {'w', 2, h(0)}}},
        {"atomicAdd", {{'r', 4, of.n + 2}, {'w', 4, of.n}}},
        {"__shfl_xor_sync", {{'r', 4, x(1)}, {'w', 4, x(0)}}},
        {"__shfl_down_sync of a half", {{'r', 2, h(1)}, {'w', 2, h(0)}}},
        {"half2 + half2", {{'r', 4, h(2)}, {'r', 4, h(4)}, {'w', 4, h(0)}}},
        {"half < half", {{'r', 2, h(1)}, {'r', 2, h(2)}, {'w', 4, x(0)}}},
        {"-half", {{'r', 2, h(1)}, {'w', 2, h(0)}}},
        {"atomicAdd of a half", {{'r', 2, h(1)}}},
        {"make_half2", {{'r', 2, h(2)}, {'r', 2, h(3)}, {'w', 4, h(0)}}},
        {"shfl_xor of a group", {{'r', 2, h(1)}, {'w', 2, h(0)}}},
        {"reduce of halves", {{'r', 2, h(1)}, {'w', 2, h(0)}}},
        {"__half22float2", {{'r', 4, h(4)}, {'w', 8, x(0)}}},
        {"reduce of floats", {{'r', 4, x(1)}, {'w', 4, x(0)}}},
    };
    CHECK_EQUAL(rows.size(), std::size_t{access_kinds});
    for (of.which = 0; of.which < access_kinds; ++of.which) {
        const auto& [what, wanted] = rows[static_cast<std::size_t>(of.which)];
        Row row(what);
        CHECK(block.run(accesses, &of));
        std::erase_if(block.accesses, [&](const FakeBlock::Access& access) { return access.address == &of.which; });
        std::string got;
        for (const auto& access : block.accesses) got += fmt::format("{}{} ", access.kind, access.bytes);
        auto sorted = wanted; // the order of operands is the compiler's
        const auto before = [](const FakeBlock::Access& a, const FakeBlock::Access& b) { return std::tie(a.kind, a.address) < std::tie(b.kind, b.address); };
        std::sort(sorted.begin(), sorted.end(), before);
        std::sort(block.accesses.begin(), block.accesses.end(), before);
        CHECK(block.accesses == sorted, got);
        CHECK_EQUAL(block.on_stack, 0);
    }
}
