// Both 16-bit types in all 65,536 patterns, and at and beside every place where rounding changes.
#include "engine/core/half.hpp"

#include "engine/core/dtype.hpp"
#include "tests/support/check.hpp"

#include <bit>
#include <cmath>
#include <limits>

using namespace gradus;
using namespace gradus::test;

namespace {

/// What the bits say, by the definition of the format: `fraction_bits` and an exponent's bias.
double meaning(std::uint16_t bits, int fraction_bits, int bias) {
    const int fraction = bits & ((1 << fraction_bits) - 1), exponent = (bits & 0x7fff) >> fraction_bits;
    const int most = (0x7fff >> fraction_bits);
    double magnitude = std::ldexp(exponent == 0 ? fraction : fraction + (1 << fraction_bits),
                                  (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
    if (exponent == most)
        magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class H> struct Format;
template <> struct Format<half> {
    static constexpr int fraction_bits = 10, bias = 15;
    static constexpr std::uint16_t infinity = 0x7c00;
};
template <> struct Format<bfloat16> {
    static constexpr int fraction_bits = 7, bias = 127;
    static constexpr std::uint16_t infinity = 0x7f80;
};

template <class H> double value_of(std::uint16_t bits) { return meaning(bits, Format<H>::fraction_bits, Format<H>::bias); }

template <class H> void check_patterns() {
    int wrong_value = 0, wrong_back = 0, lost_nans = 0, lost_signs = 0;
    for (int pattern = 0; pattern < 65536; ++pattern) {
        const auto bits = static_cast<std::uint16_t>(pattern);
        const H x = H::from_bits(bits);
        const double wanted = value_of<H>(bits), wide = static_cast<double>(x);
        const float narrow = static_cast<float>(x);
        if (std::isnan(wanted)) {
            for (const H back : {H(narrow), H(wide)}) {
                lost_nans += !std::isnan(static_cast<double>(back)) || !std::isnan(narrow) || !std::isnan(wide);
                lost_signs += (back.bits & 0x8000) != (bits & 0x8000);
            }
            continue;
        }
        wrong_value += wide != wanted || static_cast<double>(narrow) != wanted || std::signbit(narrow) != std::signbit(wanted);
        wrong_back += H(narrow).bits != bits || H(wide).bits != bits;
    }
    CHECK_EQUAL(wrong_value, 0);
    CHECK_EQUAL(wrong_back, 0);
    CHECK_EQUAL(lost_nans, 0);
    CHECK_EQUAL(lost_signs, 0);
}

/// Between every two neighbours a < b: the middle goes to the even one, what is next to the middle to the nearer one. The largest
/// finite number's neighbour is infinity, whose place is a power of two. Rounding is monotonic, so this is all of it.
template <class H> void check_halfway() {
    int wrong = 0;
    for (std::uint16_t a = 0; a < Format<H>::infinity; ++a) {
        const auto b = static_cast<std::uint16_t>(a + 1);
        const double from = value_of<H>(a),
                     to = b == Format<H>::infinity
                              ? 2 * value_of<H>(static_cast<std::uint16_t>(Format<H>::infinity - (1 << Format<H>::fraction_bits)))
                              : value_of<H>(b);
        const double middle = (from + to) / 2;
        const std::uint16_t even = (a & 1) == 0 ? a : b;
        const float narrow = static_cast<float>(middle); // exact: one more bit than a half has
        for (const double sign : {1.0, -1.0}) {
            const auto is = [&](H got, std::uint16_t wanted) { wrong += got.bits != (sign < 0 ? wanted | 0x8000 : wanted); };
            is(H(sign * middle), even);
            is(H(sign * std::nextafter(middle, 0.0)), a);
            is(H(sign * std::nextafter(middle, 1e300)), b); // in fp32 this is the middle: rounding twice would go to the even one
            is(H(sign * std::nextafter(from, 1e300)), a);
            is(H(sign * std::nextafter(to, 0.0)), b);
            const auto s = static_cast<float>(sign);
            const float infinity = std::numeric_limits<float>::infinity();
            is(H(s * narrow), even);
            is(H(s * std::nextafter(narrow, 0.0F)), a);
            is(H(s * std::nextafter(narrow, infinity)), b);
        }
    }
    CHECK_EQUAL(wrong, 0);
}

} // namespace

TEST(half_means_what_ieee_says_in_every_pattern) { check_patterns<half>(); }
TEST(bfloat16_means_what_its_definition_says_in_every_pattern) { check_patterns<bfloat16>(); }
TEST(half_rounds_to_nearest_even_once) { check_halfway<half>(); }
TEST(bfloat16_rounds_to_nearest_even_once) { check_halfway<bfloat16>(); }

TEST(halves_at_their_ends) {
    using Limits = std::numeric_limits<double>;
    for (const double huge : {1e300, Limits::max(), Limits::infinity(), static_cast<double>(std::numeric_limits<float>::max())}) {
        CHECK_EQUAL(half(huge).bits, 0x7c00);
        CHECK_EQUAL(half(-huge).bits, 0xfc00);
        CHECK_EQUAL(bfloat16(huge).bits, 0x7f80);
        CHECK_EQUAL(bfloat16(-huge).bits, 0xff80);
    }
    for (const double tiny : {0.0, 1e-300, Limits::denorm_min(), 1e-42}) {
        CHECK_EQUAL(half(tiny).bits, 0);
        CHECK_EQUAL(half(-tiny).bits, 0x8000);
        CHECK_EQUAL(bfloat16(tiny).bits, 0);
        CHECK_EQUAL(bfloat16(-tiny).bits, 0x8000);
    }
    CHECK_EQUAL(bfloat16(0x1p-133).bits, 1); // the least there is
    CHECK(std::isnan(static_cast<float>(half(Limits::quiet_NaN()))) &&
          std::isnan(static_cast<float>(bfloat16(Limits::quiet_NaN()))));
    CHECK(std::isnan(static_cast<float>(half(std::numeric_limits<float>::signaling_NaN()))));
    CHECK(std::isnan(static_cast<float>(bfloat16(std::numeric_limits<float>::signaling_NaN()))));
}

TEST(halves_keep_every_nan) {
    for (const std::uint32_t payload : {1u, 0x1000u, 0x8000u, 0x1'ffffu, 0x20'0000u, 0x3f'ffffu, 0x40'0000u, 0x7f'ffffu})
        for (const std::uint32_t sign : {0u, 0x8000'0000u}) {
            const auto nan = std::bit_cast<float>(sign | 0x7f80'0000u | payload);
            const Row row(fmt::format("{:x}", sign | payload));
            CHECK(std::isnan(static_cast<float>(half(nan))) && std::isnan(static_cast<float>(bfloat16(nan))));
            CHECK_EQUAL(std::uint32_t{half(nan).bits} >> 15, sign >> 31);
            CHECK_EQUAL(std::uint32_t{bfloat16(nan).bits} >> 15, sign >> 31);
        }
}

TEST(half_known_values) {
    const std::vector<std::pair<double, int>> rows{
        {1, 0x3c00},       {-2, 0xc000},      {65504, 0x7bff},          {65519.99, 0x7bff}, {65520, 0x7c00},  {0x1p-14, 0x0400},
        {0x1p-24, 0x0001}, {0x1p-25, 0x0000}, {0x1.000001p-25, 0x0001}, {0.1, 0x2e66},      {1.0 / 3, 0x3555}};
    for (const auto& [number, bits] : rows) {
        const Row row(fmt::format("{}", number));
        CHECK_EQUAL(half(number).bits, bits);
    }
    CHECK_EQUAL(bfloat16(1.0).bits, 0x3f80);
    CHECK_EQUAL(bfloat16(0.1).bits, 0x3dcd);
    CHECK_EQUAL(bfloat16(3.38953139e38).bits, 0x7f7f);
    static_assert(half(1.5F).bits == 0x3e00 && static_cast<float>(bfloat16(1.5F)) == 1.5F);
}

TEST(dtypes_have_sizes_and_names) {
    const std::vector<std::tuple<DType, std::size_t, std::string_view, bool>> rows{
        {DType::f32, 4, "fp32", true},   {DType::f64, 8, "fp64", true},     {DType::i32, 4, "int32", false},
        {DType::i64, 8, "int64", false}, {DType::u8, 1, "uint8", false},    {DType::f16, 2, "fp16", true},
        {DType::bf16, 2, "bf16", true},  {DType::boolean, 1, "bool", false}};
    int number = 0;
    for (const auto& [dtype, size, name, floating] : rows) {
        CHECK_EQUAL(static_cast<int>(dtype), number++); // hashes of recorded tensors contain these
        CHECK_EQUAL(size_of(dtype), size);
        CHECK_EQUAL(name_of(dtype), name);
        CHECK_EQUAL(is_floating(dtype), floating);
    }
    CHECK(dtype_of<half> == DType::f16 && dtype_of<bfloat16> == DType::bf16 && dtype_of<bool> == DType::boolean);
}
