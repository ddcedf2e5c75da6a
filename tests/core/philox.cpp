#include "engine/core/normal_paths.hpp"
#include "engine/core/philox.hpp"

#include "tests/support/check.hpp"

#include <bit>
#include <cmath>
#include <vector>

using namespace gradus;
using namespace gradus::test;

// The published known-answer vectors of philox4x32-10 (Random123, kat_vectors), and one of an independent
// computation with numpy. A block's counter is (index, stream), its key the seed, low words first.
TEST(philox_gives_the_published_numbers) {
    using U = std::uint64_t;
    struct {
        const char* name;
        U index, stream, seed;
        Philox::Block wanted;
    } const rows[] = {
        {"zeros", 0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {"ones", ~U{0}, ~U{0}, ~U{0}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {"pi", 0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
        {"numpy", 7, 0x100000005, 123456789, {0x87353648, 0x319bd0e0, 0xa39b9c13, 0xb5ecfbb9}},
    };
    for (const auto& row : rows) {
        const Row named(row.name);
        CHECK_EQUAL(Philox(row.seed, row.stream).block(row.index), row.wanted);
    }
}

TEST(philox_uniform_uses_both_halves_of_a_block) {
    const Philox random(0, 0);
    CHECK_EQUAL(random.uniform(0), static_cast<double>(0x6627e8d5e169c58d >> 11) * 0x1p-53);
    CHECK_EQUAL(random.uniform(1), static_cast<double>(0xbc57ac4c9b00dbd8 >> 11) * 0x1p-53);
    CHECK_EQUAL(Philox(~0ull, ~0ull).below(~0ull / 4 * 4 + 3, 1), 0u);
}

// Bounds are five standard deviations of the statistic: one seed in a million would fail, and this one is fixed.
TEST(philox_uniform_is_uniform) {
    constexpr int count = 200'000, bins = 64;
    const Philox random(20, 3);
    std::vector<double> hits(bins);
    double mean = 0, square = 0, lag = 0, before = 0.5;
    for (int i = 0; i < count; ++i) {
        const double u = random.uniform(static_cast<std::uint64_t>(i));
        if (!(u >= 0 && u < 1)) CHECK(u >= 0 && u < 1);
        mean += u / count;
        square += u * u / count;
        lag += (u - 0.5) * (before - 0.5) / count;
        before = u;
        ++hits[static_cast<std::size_t>(u * bins)];
    }
    const double n = std::sqrt(count);
    CHECK_ERROR(std::abs(mean - 0.5), 5 * std::sqrt(1.0 / 12) / n, "mean");
    CHECK_ERROR(std::abs(square - 1.0 / 3), 5 * std::sqrt(4.0 / 45) / n, "mean square");
    CHECK_ERROR(std::abs(lag), 5.0 / 12 / n, "neighbours' covariance");
    double chi = 0;
    for (const double hit : hits) chi += (hit - count / bins) * (hit - count / bins) / (count / bins);
    CHECK_ERROR(std::abs(chi - (bins - 1)), 5 * std::sqrt(2.0 * (bins - 1)), "chi squared");
}

TEST(philox_normal_is_normal) {
    constexpr int count = 200'000;
    const Philox random(21, 4);
    double mean = 0, square = 0, fourth = 0, pairs = 0;
    int beyond = 0;
    for (int i = 0; i < count; ++i) {
        const double x = random.normal(static_cast<std::uint64_t>(i));
        if (!std::isfinite(x)) CHECK(std::isfinite(x));
        mean += x / count;
        square += x * x / count;
        fourth += x * x * x * x / count;
        beyond += std::abs(x) > 1.96;
        if (i % 2 == 1) pairs += x * random.normal(static_cast<std::uint64_t>(i - 1)) / count * 2;
    }
    const double n = std::sqrt(count);
    CHECK_ERROR(std::abs(mean), 5 / n, "mean");
    CHECK_ERROR(std::abs(square - 1), 5 * std::sqrt(2.0) / n, "variance");
    CHECK_ERROR(std::abs(fourth - 3), 5 * std::sqrt(96.0) / n, "fourth moment");
    CHECK_ERROR(std::abs(pairs), 5 * std::sqrt(2.0) / n, "covariance of sine and cosine");
    CHECK_ERROR(std::abs(beyond / double{count} - 0.05), 5 * std::sqrt(0.05 * 0.95) / n, "share beyond 1.96");
}

/// On every path that this processor has: the bits of one pair after the other.
TEST(philox_normals_are_the_same_several_at_a_time) {
    const struct {
        std::uint64_t seed, stream, first;
    } rows[] = {{1, 2, 0}, {~0ull, 0x123456789abcdef0, (1ull << 32) - 5}, {77, ~0ull, (1ull << 62) + 3}};
    constexpr std::uint64_t calls = 8000, pairs = NormalPath::numbers / 2; // a million numbers of each row
    std::vector<double> made(NormalPath::numbers);
    for (const NormalPath& path : normal_paths())
        for (const auto& row : rows) {
            const Row named(fmt::format("{}, seed {}", path.name, row.seed));
            const Philox random(row.seed, row.stream);
            std::int64_t wrong = 0;
            for (std::uint64_t call = 0; call < calls; ++call) {
                path.make(row.seed, row.stream, row.first + call * pairs, made.data());
                for (std::uint64_t i = 0; i < pairs; ++i) {
                    const auto [even, odd] = random.normal_pair(row.first + call * pairs + i);
                    wrong += std::bit_cast<std::uint64_t>(made[2 * i]) != std::bit_cast<std::uint64_t>(even);
                    wrong += std::bit_cast<std::uint64_t>(made[2 * i + 1]) != std::bit_cast<std::uint64_t>(odd);
                }
            }
            CHECK_EQUAL(wrong, 0);
        }
    if (normal_paths().empty()) skip("this processor has no vectors that numbers could be made in");
}

/// Wherever a piece begins, and however many numbers it has.
TEST(philox_normals_begin_and_end_anywhere) {
    const Philox random(3, 9);
    std::vector<double> wanted(1200), made(600);
    for (std::uint64_t i = 0; i < wanted.size(); ++i) wanted[i] = random.normal(i);
    for (std::uint64_t first = 0; first < 300; ++first)
        for (std::size_t count = 0; count < made.size(); count += 1 + count / 9) {
            made.assign(made.size(), 0.5);
            random.normals(first, {made.data(), count});
            bool same = true;
            for (std::size_t i = 0; i < made.size(); ++i) same &= made[i] == (i < count ? wanted[first + i] : 0.5);
            if (!same) CHECK(same, fmt::format("{} from {}", count, first));
        }
    count_check();
}

TEST(philox_uniforms_begin_and_end_anywhere) {
    const Philox random(3, 9);
    std::vector<double> made(40);
    for (std::uint64_t first = 0; first < 6; ++first)
        for (std::size_t count = 0; count < made.size(); ++count) {
            made.assign(made.size(), 2);
            random.uniforms(first, {made.data(), count});
            bool same = true;
            for (std::size_t i = 0; i < made.size(); ++i) same &= made[i] == (i < count ? random.uniform(first + i) : 2);
            CHECK(same, fmt::format("{} from {}", count, first));
        }
}

TEST(philox_below_stays_below) {
    const Philox random(5, 6);
    std::vector<int> hits(7);
    for (std::uint64_t i = 0; i < 70'000; ++i) ++hits[random.below(i, 7)];
    for (const int hit : hits) CHECK_ERROR(std::abs(hit - 10'000), 5 * std::sqrt(10'000.0 * 6 / 7), "hits");
    for (std::uint64_t i = 0; i < 1000; ++i) {
        CHECK_EQUAL(random.below(i, 1), 0u);
        CHECK(random.below(i, 0xffffffffu) < 0xffffffffu);
    }
}

TEST(philox_streams_and_seeds_differ) {
    const Philox a(1, 1), b(1, 2), c(2, 1);
    int same = 0;
    for (std::uint64_t i = 0; i < 1000; ++i)
        same += (a.block(i)[0] == b.block(i)[0]) + (a.block(i)[0] == c.block(i)[0]);
    CHECK_EQUAL(same, 0);
    CHECK_EQUAL(a.block(12345), Philox(1, 1).block(12345));
}
