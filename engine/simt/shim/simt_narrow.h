#pragma once
#pragma GCC system_header

// Floating-point numbers of 16 bits: conversions and arithmetic on their bits.
//
// Each operation is done in double precision, which holds sums and products of such numbers well enough, and rounded once, to the nearest,
// ties to even. Subnormals are kept. NaN becomes the GPU's, 0x7fff. So +, -, ·, ⁄, √ and the multiply-add give what IEEE 754 asks for.

#include "simt_math.h"
#include "simt_integers.h"

template <int exponent_bits, int mantissa_bits>
struct SimtFormat {
    static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
    static constexpr unsigned infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
    static constexpr unsigned nan = 0x7fff, one = static_cast<unsigned>(bias) << mantissa_bits;

    SIMT_QUIET static constexpr double wide(unsigned bits) {
        const uint64_t sign = static_cast<uint64_t>(bits >> 15) << 63;
        const unsigned magnitude = bits & 0x7fff;
        if (magnitude > infinity) return __builtin_bit_cast(double, sign | uint64_t{0x7fffffffe0000000});
        if (magnitude == infinity) return __builtin_bit_cast(double, sign | uint64_t{0x7ff0000000000000});
        // The exponent is off by the difference of the biases; the product puts that right, and normalises subnormals. Exact.
        const double scaled = __builtin_bit_cast(double, static_cast<uint64_t>(magnitude) << (52 - mantissa_bits));
        const double factor = __builtin_bit_cast(double, static_cast<uint64_t>(1023 + 1023 - bias) << 52);
        return __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, scaled * factor) | sign);
    }

    SIMT_QUIET static constexpr uint16_t rounded(double x, SimtRounding rounding = SimtRounding::nearest) {
        const uint64_t bits = __builtin_bit_cast(uint64_t, x), fraction = bits & ((uint64_t{1} << 52) - 1);
        const unsigned sign = static_cast<unsigned>(bits >> 63) << 15;
        const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
        if (exponent == 0x7ff) return static_cast<uint16_t>(fraction ? nan : sign | infinity);
        const bool away = sign ? rounding == SimtRounding::down : rounding == SimtRounding::up; // from zero
        const bool nearest = rounding == SimtRounding::nearest;

        const int biased = exponent - 1023 + bias; // ≤ 0: a subnormal
        if (biased > 2 * bias) return static_cast<uint16_t>(sign | (nearest || away ? infinity : infinity - 1));
        const uint64_t significand = fraction | (exponent ? uint64_t{1} << 52 : 0);
        int drop = 52 - mantissa_bits + (biased > 0 ? 0 : 1 - biased);
        if (drop > 54) drop = 54; // all of it, and less than half of the last place
        uint64_t kept = significand >> drop;
        const uint64_t rest = significand & ((uint64_t{1} << drop) - 1), half = uint64_t{1} << (drop - 1);
        if (nearest ? rest > half || (rest == half && kept & 1) : away && rest) ++kept;
        if (biased > 0) kept += static_cast<uint64_t>(biased - 1) << mantissa_bits; // `kept` has the leading one; a carry moves on
        return static_cast<uint16_t>(sign | static_cast<unsigned>(kept));
    }
};
using SimtHalf = SimtFormat<5, 10>;
using SimtBfloat = SimtFormat<8, 7>;

SIMT_QUIET float simt_half_to_float(unsigned bits) {
    const float sized = __builtin_bit_cast(float, (bits & 0x7fff) << 13) * 0x1p112f; // subnormals, too
    const unsigned magnitude = bits & 0x7fff;
    if (magnitude > SimtHalf::infinity) return __builtin_bit_cast(float, 0x7fffffffu);
    const unsigned body = magnitude == SimtHalf::infinity ? 0x7f800000u : __builtin_bit_cast(unsigned, sized);
    return __builtin_bit_cast(float, body | (bits & 0x8000) << 16);
}
SIMT_QUIET float simt_bfloat_to_float(unsigned bits) { return __builtin_bit_cast(float, bits << 16); }

/// a b + c, such that a later rounding to 16 bits is the only one: if the sum is inexact its last bit is 1, so that it is no tie.
SIMT_QUIET double simt_narrow_fma(double a, double b, double c) {
    const double product = a * b; // exact
    const double sum = product + c;
    if (!__builtin_isfinite(sum)) return sum;
    const double of_c = sum - product, error = (product - (sum - of_c)) + (c - of_c);
    const uint64_t bits = __builtin_bit_cast(uint64_t, sum);
    if (error == 0 || bits & 1) return sum;
    return __builtin_bit_cast(double, (error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/// An operation on one number, and on both of a pair.
template <class Format, class Op>
struct SimtNarrow {
    SIMT_QUIET static uint16_t one(unsigned a) { return Format::rounded(Op::of(Format::wide(a & 0xffff))); }
    SIMT_QUIET static uint16_t one(unsigned a, unsigned b) {
        return Format::rounded(Op::of(Format::wide(a & 0xffff), Format::wide(b & 0xffff)));
    }
    SIMT_QUIET static uint16_t one(unsigned a, unsigned b, unsigned c) {
        return Format::rounded(Op::of(Format::wide(a & 0xffff), Format::wide(b & 0xffff), Format::wide(c & 0xffff)));
    }
    SIMT_QUIET static unsigned two(unsigned a) { return one(a) | static_cast<unsigned>(one(a >> 16)) << 16; }
    SIMT_QUIET static unsigned two(unsigned a, unsigned b) { return one(a, b) | static_cast<unsigned>(one(a >> 16, b >> 16)) << 16; }
    SIMT_QUIET static unsigned two(unsigned a, unsigned b, unsigned c) {
        return one(a, b, c) | static_cast<unsigned>(one(a >> 16, b >> 16, c >> 16)) << 16;
    }
};

#define SIMT_OP1(name, expression)                                                                                                       \
    struct name {                                                                                                                        \
        SIMT_QUIET static double of(double a) { return expression; }                                                                     \
    };
#define SIMT_OP2(name, expression)                                                                                                       \
    struct name {                                                                                                                        \
        SIMT_QUIET static double of(double a, double b) { return expression; }                                                           \
    };
#define SIMT_OP3(name, expression)                                                                                                       \
    struct name {                                                                                                                        \
        SIMT_QUIET static double of(double a, double b, double c) { return expression; }                                                 \
    };
SIMT_QUIET double simt_saturated(double x) { return x >= 1 ? 1.0 : x > 0 ? x : 0.0; } // NaN: 0
SIMT_QUIET double simt_positive(double x) { return x > 0 || x != x ? x : 0.0; }
/// NaN only if both are; of two zeros the positive one is larger.
SIMT_QUIET double simt_larger(double a, double b) { return a != a ? b : b != b ? a : a == b ? (__builtin_signbit(a) ? b : a) : a > b ? a : b; }
SIMT_QUIET double simt_smaller(double a, double b) { return a != a ? b : b != b ? a : a == b ? (__builtin_signbit(a) ? a : b) : a < b ? a : b; }

SIMT_OP2(SimtAdd, a + b)
SIMT_OP2(SimtSub, a - b)
SIMT_OP2(SimtMul, a * b)
SIMT_OP2(SimtDiv, a / b)
SIMT_OP2(SimtAddSat, simt_saturated(a + b))
SIMT_OP2(SimtSubSat, simt_saturated(a - b))
SIMT_OP2(SimtMulSat, simt_saturated(a * b))
SIMT_OP2(SimtMax, simt_larger(a, b))
SIMT_OP2(SimtMin, simt_smaller(a, b))
SIMT_OP2(SimtMaxNan, a != a || b != b ? a + b : simt_larger(a, b))
SIMT_OP2(SimtMinNan, a != a || b != b ? a + b : simt_smaller(a, b))
SIMT_OP2(SimtEq, a == b)
SIMT_OP2(SimtNe, a < b || a > b)
SIMT_OP2(SimtLt, a < b)
SIMT_OP2(SimtLe, a <= b)
SIMT_OP2(SimtGt, a > b)
SIMT_OP2(SimtGe, a >= b)
SIMT_OP2(SimtEqu, !(a < b || a > b))
SIMT_OP2(SimtNeu, a != b)
SIMT_OP2(SimtLtu, !(a >= b))
SIMT_OP2(SimtLeu, !(a > b))
SIMT_OP2(SimtGtu, !(a <= b))
SIMT_OP2(SimtGeu, !(a < b))
SIMT_OP3(SimtFma, simt_narrow_fma(a, b, c))
SIMT_OP3(SimtFmaSat, simt_saturated(simt_narrow_fma(a, b, c)))
SIMT_OP3(SimtFmaRelu, simt_positive(simt_narrow_fma(a, b, c)))
SIMT_OP1(SimtIsNan, a != a)
SIMT_OP1(SimtSqrt, __builtin_sqrt(a))
SIMT_OP1(SimtRsqrt, 1 / __builtin_sqrt(a))
SIMT_OP1(SimtRcp, 1 / a)
SIMT_OP1(SimtExp, __builtin_exp(a))
SIMT_OP1(SimtExp2, __builtin_exp2(a))
SIMT_OP1(SimtExp10, __builtin_exp10(a))
SIMT_OP1(SimtLog, __builtin_log(a))
SIMT_OP1(SimtLog2, __builtin_log2(a))
SIMT_OP1(SimtLog10, __builtin_log10(a))
SIMT_OP1(SimtSin, __builtin_sin(a))
SIMT_OP1(SimtCos, __builtin_cos(a))
SIMT_OP1(SimtTanh, __builtin_tanh(a))
SIMT_OP1(SimtCeil, __builtin_ceil(a))
SIMT_OP1(SimtFloor, __builtin_floor(a))
SIMT_OP1(SimtTrunc, __builtin_trunc(a))
SIMT_OP1(SimtRint, __builtin_rint(a))
#undef SIMT_OP1
#undef SIMT_OP2
#undef SIMT_OP3

template <class Format>
struct SimtNarrowSum {
    SIMT_QUIET static uint16_t of(uint16_t a, uint16_t b) { return SimtNarrow<Format, SimtAdd>::one(a, b); }
    SIMT_QUIET static uint32_t of(uint32_t a, uint32_t b) { return SimtNarrow<Format, SimtAdd>::two(a, b); }
};
