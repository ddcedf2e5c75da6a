// The shim's arithmetic against the compiler's own 16-bit floats, against exact integers, and against what CUDA's documentation says.

#include "tests/simt/shim/numbers.hpp"

#include "tests/support/check.hpp"

#include <bit>
#include <climits>
#include <cmath>
#include <limits>
#include <random>

using namespace gradus::shim_test;
using namespace gradus::test;

namespace {

constexpr unsigned half_infinity = 0x7c00, bfloat_infinity = 0x7f80;

double half_value(unsigned bits) { return static_cast<double>(std::bit_cast<_Float16>(static_cast<unsigned short>(bits))); }
double bfloat_value(unsigned bits) { return std::bit_cast<float>(bits << 16); }

/// The 16-bit number next to x: the largest that is not above it is found, and the nearer of that and the next, ties to even. Exact, since
/// the distances are.
unsigned nearest(long double x, unsigned infinity, double (*value)(unsigned)) {
    if (std::isnan(x)) return 0x7fff;
    const unsigned sign = std::signbit(x) ? 0x8000 : 0;
    const long double size = std::fabs(x);
    unsigned low = 0, high = infinity;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (value(middle) <= size ? low : high) = middle;
    }
    // What would stand at infinity's place, if the format went on.
    const long double last = value(infinity - 1), beyond = last + (last - value(infinity - 2));
    const long double above = high == infinity ? beyond : value(high);
    if (size >= beyond) return sign | infinity;
    const long double down = size - value(low), up = above - size;
    return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
}

std::vector<float> telling_floats(unsigned infinity, double (*value)(unsigned)) {
    std::vector<float> out{0.0f, -0.0f, HUGE_VALF, -HUGE_VALF, std::numeric_limits<float>::quiet_NaN(), 1e-45f, 3.4e38f};
    for (unsigned bits = 0; bits < infinity; ++bits) {
        const double here = value(bits), next = bits + 1 == infinity ? 2 * here - value(bits - 1) : value(bits + 1);
        const auto middle = static_cast<float>((here + next) / 2);
        for (const float x : {static_cast<float>(here), middle, std::nextafter(middle, 0.0f), std::nextafter(middle, HUGE_VALF)}) out.push_back(x), out.push_back(-x);
    }
    std::mt19937 random(1);
    for (int i = 0; i < 300'000; ++i) out.push_back(std::bit_cast<float>(static_cast<unsigned>(random())));
    return out;
}

} // namespace

TEST(every_half_becomes_the_float_that_it_is) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float got = half_to_float(static_cast<unsigned short>(bits));
        if ((bits & 0x7fff) > half_infinity) CHECK_EQUAL(std::bit_cast<unsigned>(got), 0x7fffffffu);
        else CHECK_EQUAL(std::bit_cast<unsigned>(got), std::bit_cast<unsigned>(static_cast<float>(half_value(bits))));
        CHECK_EQUAL(std::bit_cast<unsigned>(bfloat_to_float(static_cast<unsigned short>(bits))), bits << 16);
    }
}

TEST(floats_round_to_the_nearest_half) {
    for (const float x : telling_floats(half_infinity, half_value)) {
        const unsigned wanted = std::isnan(x) ? 0x7fff : std::bit_cast<unsigned short>(static_cast<_Float16>(x));
        CHECK_EQUAL(float_to_half(x, 0), wanted);
        CHECK_EQUAL(nearest(x, half_infinity, half_value), wanted); // of the test itself
        CHECK_EQUAL(double_to_half(x), wanted);
    }
    const double tie = 1 + 0x1p-11; // between 1 and the next half; a float would lose what lies beyond it
    CHECK_EQUAL(double_to_half(tie), 0x3c00);
    CHECK_EQUAL(double_to_half(std::nextafter(tie, 2)), 0x3c01);
    CHECK_EQUAL(double_to_half(0x1p-25), 0);
    CHECK_EQUAL(double_to_half(std::nextafter(0x1p-25, 1)), 1);
}

TEST(floats_round_to_a_half_in_the_direction_asked_for) {
    const struct {
        float x;
        unsigned nearest, zero, up, down;
    } rows[] = {
        {1 + 0x1p-12f, 0x3c00, 0x3c00, 0x3c01, 0x3c00}, {-1 - 0x1p-12f, 0xbc00, 0xbc00, 0xbc00, 0xbc01}, {0x1p-30f, 0, 0, 1, 0},       {-0x1p-30f, 0x8000, 0x8000, 0x8000, 0x8001},
        {65519.0f, 0x7bff, 0x7bff, 0x7c00, 0x7bff},     {65520.0f, 0x7c00, 0x7bff, 0x7c00, 0x7bff},      {-1e9f, 0xfc00, 0xfbff, 0xfbff, 0xfc00}, {1.0f, 0x3c00, 0x3c00, 0x3c00, 0x3c00},
        {HUGE_VALF, 0x7c00, 0x7c00, 0x7c00, 0x7c00},    {1e-45f, 0, 0, 1, 0},
    };
    for (const auto& [x, to_nearest, to_zero, up, down] : rows) {
        Row row(fmt::format("{}", x));
        CHECK_EQUAL(float_to_half(x, 0), to_nearest);
        CHECK_EQUAL(float_to_half(x, 1), to_zero);
        CHECK_EQUAL(float_to_half(x, 2), up);
        CHECK_EQUAL(float_to_half(x, 3), down);
    }
}

TEST(floats_round_to_the_nearest_bfloat) {
    for (const float x : telling_floats(bfloat_infinity, bfloat_value)) {
        const unsigned bits = std::bit_cast<unsigned>(x), wanted = std::isnan(x) ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        CHECK_EQUAL(float_to_bfloat(x), wanted);
        CHECK_EQUAL(double_to_bfloat(x), wanted);
    }
    const double tie = 1 + 0x1p-8;
    CHECK_EQUAL(double_to_bfloat(std::nextafter(tie, 2)), 0x3f81);
    CHECK_EQUAL(double_to_bfloat(tie), 0x3f80);
}

TEST(sixteen_bit_arithmetic_rounds_once) {
    std::mt19937 random(2);
    const auto any = [&] { return static_cast<unsigned short>(random()); };
    for (int i = 0; i < 200'000; ++i) {
        const unsigned short a = any(), b = any();
        const long double x = half_value(a), y = half_value(b), p = bfloat_value(a), q = bfloat_value(b);
        CHECK_EQUAL(half_operation(0, a, b), nearest(x + y, half_infinity, half_value));
        CHECK_EQUAL(half_operation(1, a, b), nearest(x - y, half_infinity, half_value));
        CHECK_EQUAL(half_operation(2, a, b), nearest(x * y, half_infinity, half_value));
        CHECK_EQUAL(half_operation(3, a, b), nearest(x / y, half_infinity, half_value));
        CHECK_EQUAL(half_operation(6, a, b), nearest(std::sqrt(x), half_infinity, half_value));
        CHECK_EQUAL(bfloat_operation(0, a, b), nearest(p + q, bfloat_infinity, bfloat_value));
        CHECK_EQUAL(bfloat_operation(2, a, b), nearest(p * q, bfloat_infinity, bfloat_value));
        CHECK_EQUAL(bfloat_operation(3, a, b), nearest(p / q, bfloat_infinity, bfloat_value));
    }
}

/// Halves are multiples of 2^-24, so products and sums of them are integers times 2^-48, of fewer than 128 bits.
TEST(a_half_multiply_add_rounds_once) {
    __extension__ using Int = __int128;
    std::mt19937 random(3);
    const auto finite = [&] {
        for (;;)
            if (const auto bits = static_cast<unsigned short>(random()); (bits & 0x7fff) < half_infinity) return bits;
    };
    const auto scaled = [](unsigned bits) { return static_cast<Int>(half_value(bits) * 0x1p24); };
    for (int i = 0; i < 300'000; ++i) {
        const unsigned short a = finite(), b = finite();
        unsigned short c = finite();
        if (i % 3 == 0) c = static_cast<unsigned short>(random() % 4 | (random() % 2 << 15)); // next to nothing: it breaks ties
        if (i % 3 == 1) c = static_cast<unsigned short>(nearest(-half_value(a) * half_value(b), half_infinity - 1, half_value)); // nearly all cancels
        const Int sum = scaled(a) * scaled(b) + (scaled(c) << 24), size = sum < 0 ? -sum : sum;
        if (sum == 0) continue; // the sign of zero is another matter
        unsigned low = 0, high = half_infinity;
        const auto at = [&](unsigned bits) { return bits == half_infinity ? Int{65536} << 48 : scaled(bits) << 24; };
        while (high - low > 1) {
            const unsigned middle = (low + high) / 2;
            (at(middle) <= size ? low : high) = middle;
        }
        const Int down = size - at(low), up = at(high) - size;
        const unsigned wanted = (sum < 0 ? 0x8000 : 0) | (down < up || (down == up && low % 2 == 0) ? low : high);
        CHECK_EQUAL(half_fma(a, b, c), wanted);
    }
}

TEST(a_bfloat_multiply_add_rounds_once) {
    const auto bits = [](float x) { return static_cast<unsigned short>(std::bit_cast<unsigned>(x) >> 16); };
    const float x = 1 + 0x1p-4f, half_ulp = 0x1p-8f;
    CHECK_EQUAL(bfloat_fma(bits(x), bits(x), bits(0)), bits(1.125f)); // 1.12890625 is a tie: to even
    CHECK_EQUAL(bfloat_fma(bits(x), bits(x), bits(0x1p-100f)), bits(1.1328125f));
    CHECK_EQUAL(bfloat_fma(bits(x), bits(x), bits(-0x1p-100f)), bits(1.125f));
    CHECK_EQUAL(bfloat_fma(bits(1), bits(half_ulp), bits(1)), bits(1));
    CHECK_EQUAL(bfloat_fma(bits(1 + 0x1p-7f), bits(half_ulp), bits(1)), bits(1 + 0x1p-7f));
    CHECK_EQUAL(bfloat_fma(bits(-1), bits(0x1p-9f), bits(1)), bits(1)); // a tie below 1
    CHECK_EQUAL(bfloat_fma(bits(-1), bits(0x1p-130f), bits(1 - 0x1p-8f)), bits(1 - 0x1p-8f));
    CHECK_EQUAL(bfloat_fma(bits(0x1p100f), bits(0x1p100f), bits(1)), bfloat_infinity);
}

TEST(halves_compare_and_pair) {
    const unsigned short numbers[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x3c00, 0xbc00, 0x4248, 0x7bff, 0x7c00, 0xfc00, 0x7e00};
    for (const unsigned short a : numbers)
        for (const unsigned short b : numbers) {
            const double x = half_value(a), y = half_value(b);
            Row row(fmt::format("{} and {}", x, y));
            const bool wanted[] = {x == y, x != y, x < y, x <= y, x > y, x >= y, x == y, x < y || x > y, !(x >= y)};
            for (int which = 0; which < 9; ++which) CHECK_EQUAL(half_comparison(which, a, b), wanted[which]);
            CHECK(pairs_agree(a, b, 0x4000));
            const unsigned most = half_operation(4, a, b), least = half_operation(5, a, b);
            CHECK_EQUAL(most, std::isnan(x) && std::isnan(y) ? 0x7fffu : std::isnan(x) ? b : std::isnan(y) ? a : x > y ? a : x < y ? b : unsigned{a} & b);
            CHECK_EQUAL(least, std::isnan(x) && std::isnan(y) ? 0x7fffu : std::isnan(x) ? b : std::isnan(y) ? a : x < y ? a : x > y ? b : unsigned{a} | b);
        }
}

TEST(conversions_to_integers_saturate) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const struct {
        float x;
        int nearest, zero, up, down;
    } rows[] = {{2.5f, 2, 2, 3, 2}, {3.5f, 4, 3, 4, 3}, {-2.5f, -2, -2, -2, -3}, {1e10f, INT_MAX, INT_MAX, INT_MAX, INT_MAX}, {-1e10f, INT_MIN, INT_MIN, INT_MIN, INT_MIN}, {nan, 0, 0, 0, 0}};
    for (const auto& [x, to_nearest, to_zero, up, down] : rows) {
        Row row(fmt::format("{}", x));
        CHECK_EQUAL(float_to_int(x, 0), to_nearest);
        CHECK_EQUAL(float_to_int(x, 1), to_zero);
        CHECK_EQUAL(float_to_int(x, 2), up);
        CHECK_EQUAL(float_to_int(x, 3), down);
    }
    CHECK_EQUAL(float_to_unsigned(-3, 1), 0u);
    CHECK_EQUAL(float_to_unsigned(4e9f, 0), 4000000000u);
    CHECK_EQUAL(float_to_unsigned(1e20f, 0), UINT_MAX);
    CHECK_EQUAL(double_to_long(1e30, 0), LLONG_MAX);
    CHECK_EQUAL(double_to_long(-1e30, 1), LLONG_MIN);
    CHECK_EQUAL(double_to_long(static_cast<double>(nan), 1), LLONG_MIN);
}

TEST(conversions_to_float_go_in_the_direction_asked_for) {
    const int x = (1 << 24) + 1; // between two floats
    const float below = 16777216, above = 16777218;
    const float wanted[] = {below, below, above, below}, negative[] = {-below, -below, -below, -above};
    for (int rounding = 0; rounding < 4; ++rounding) {
        CHECK_EQUAL(int_to_float(x, rounding), wanted[rounding]);
        CHECK_EQUAL(int_to_float(-x, rounding), negative[rounding]);
        CHECK_EQUAL(long_to_float(-x, rounding), negative[rounding]);
        CHECK_EQUAL(double_to_float(x, rounding), wanted[rounding]);
        CHECK_EQUAL(double_to_float(-x, rounding), negative[rounding]);
        CHECK_EQUAL(double_to_float(0.5, rounding), 0.5f);
    }
}

TEST(integer_functions_and_layouts_are_cudas) {
    Words words[most_words];
    const int count = integer_words(words);
    for (int i = 0; i < count; ++i) {
        Row row(words[i].name);
        CHECK_EQUAL(words[i].got, words[i].wanted);
    }
}
