// One multiply-add, bit by bit, beside the processor's and the C library's own, and beside 113 bits.
#include "engine/trace/kernel/fma_bits.hpp"

#include "engine/core/philox.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cmath>
#include <map>

using namespace gradus;
using namespace gradus::test;

namespace {

__extension__ typedef __float128 Quad;

Quad quad_of(const ExactNumber& number) {
    Quad out = 0, weight = 1;
    for (int i = 0; i < std::abs(number.highest); ++i) weight = number.highest > 0 ? weight * 2 : weight / 2;
    for (const char digit : number.digits) {
        if (digit == '1') out += weight;
        weight /= 2;
    }
    return number.negative ? -out : out;
}

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// Whether the sum has so few bits that Quad holds it.
bool fits(const FmaBits& bits) { return bits.sum.digits.size() <= 113 && bits.product.digits.size() <= 113; }

void check_one(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::map<RoundingStep, int>& steps) {
    const FmaBits bits = fma_bits(a, b, c);
    ++steps[bits.step];
    const float expected = std::fmaf(number(a), number(b), number(c));
    const std::string row = fmt::format("{:08x} * {:08x} + {:08x}", a, b, c);
    if (std::isnan(expected)) CHECK(std::isnan(number(bits.result)), row);
    else CHECK(bits.result == std::bit_cast<std::uint32_t>(expected), fmt::format("{}: {:08x}, not {:08x}", row, bits.result, std::bit_cast<std::uint32_t>(expected)));
    if (bits.step == RoundingStep::special || !fits(bits)) return;
    const Quad x = number(a), y = number(b), z = number(c);
    CHECK(quad_of(bits.product) == x * y, row);
    const Quad sum = x * y + z;
    if (sum - x * y == z && sum - z == x * y) CHECK(quad_of(bits.sum) == sum, row); // nothing of it was lost
}

} // namespace

TEST(multiply_adds_are_rounded_as_the_library_does) {
    std::map<RoundingStep, int> steps;
    const std::uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f800001, 0x7f7fffff, 0xff7fffff,
                                     0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x4b800000, 0x33800000, 0x00400000, 0x34000000, 0xb4000000, 0x40490fdb, 0x1f800000};
    for (const std::uint32_t a : special)
        for (const std::uint32_t b : special)
            for (const std::uint32_t c : special) check_one(a, b, c, steps);
    const Philox random(11, 3);
    std::uint64_t at = 0;
    const auto word = [&] {
        at += 2;
        return random.below(at, 0x10000) << 16 | random.below(at + 1, 0x10000);
    };
    for (int i = 0; i < 60'000; ++i) {
        const std::uint32_t a = word(), b = word();
        std::uint32_t c = word();
        const float product = number(a) * number(b);
        if (i % 4 == 1) c = std::bit_cast<std::uint32_t>(-product) ^ random.below(at++, 4); // they all but cancel
        if (i % 4 == 2) c = (std::bit_cast<std::uint32_t>(product) & 0xff800000) ^ (word() & 0x81ffffff); // of like size
        if (i % 4 == 3) { // few bits, so that many a sum lies halfway
            check_one((a & 0xc7f00000) | 0x30000000, (b & 0xc7f00000) | 0x30000000, (c & 0xc7800000) | 0x38000000, steps);
            continue;
        }
        check_one(a, b, c, steps);
    }
    for (int i = 0; i < 4'000; ++i) check_one(0x3f800000, 0x3f800000 | (word() & 0x7fffff), 0x4b000000 | (word() & 1), steps); // 1 · x + 2^23: halves
    for (int i = 0; i < 4'000; ++i) check_one(word() & 0x00ffffff, 0x3f000000, word() & 0x000000ff, steps); // around the subnormal numbers
    for (const RoundingStep step : {RoundingStep::exact, RoundingStep::down, RoundingStep::up, RoundingStep::tie_down, RoundingStep::tie_up, RoundingStep::overflow, RoundingStep::special})
        CHECK(steps[step] > 20, fmt::format("{}: {}", name_of(step), steps[step]));
}

TEST(a_multiply_add_shows_its_bits) {
    const FmaBits half = fma_bits(std::bit_cast<std::uint32_t>(1.5f), std::bit_cast<std::uint32_t>(-3.0f), std::bit_cast<std::uint32_t>(4.0f));
    CHECK(half.a.kind == FloatBits::Kind::normal && half.a.exponent == 127 && half.a.fraction == 0x400000 && !half.a.negative && half.b.negative);
    CHECK(half.product == (ExactNumber{true, 2, "1001"})); // -4.5
    CHECK(half.sum == (ExactNumber{true, -1, "1"}));
    CHECK(half.step == RoundingStep::exact && number(half.result) == -0.5f);
    const FmaBits tie = fma_bits(std::bit_cast<std::uint32_t>(1.0f), std::bit_cast<std::uint32_t>(0.5f), std::bit_cast<std::uint32_t>(8388609.0f)); // 2^23 + 1.5
    CHECK(tie.step == RoundingStep::tie_up && tie.round_bit && !tie.sticky_bit && tie.last_place == 0);
    CHECK_EQUAL(tie.kept, 8388609u);
    CHECK_EQUAL(number(tie.result), 8388610.0f);
    const FmaBits none = fma_bits(0x3f800000, 0x3f800000, 0xbf800000);
    CHECK(none.sum.digits.empty() && none.result == 0);
    CHECK_EQUAL(fma_bits(0x80000000, 0x3f800000, 0x80000000).result, 0x80000000u); // -0 · 1 + -0
}
