#pragma once

#include <cstdint>
#include <cstring>

/// Elementary functions in plain arithmetic. The C library picks other code on other processors, so its last
/// bits differ between machines; these give one result for one path, and vectorise. Every argument path is
/// branch-free; those of double that others are made of are always inlined, because a call would keep the loop around it from
/// becoming vectors. Errors in the ranges the lessons reach (tested): at most 2 ulp for exp, log, log1p_unit and expm1, 3 for
/// sigmoid and tanh.
///
/// This header is compiled once per ISA path: everything in it must stay in the namespace that the includer
/// opens, or the linker would mix code of different instruction sets.
#ifndef GRADUS_MATH_NAMESPACE
#define GRADUS_MATH_NAMESPACE portable
#endif

namespace gradus::GRADUS_MATH_NAMESPACE {

/// a · b + c, fused where the path has the instruction and the includer does not forbid it.
static inline float madd(float a, float b, float c) {
#if defined(__FMA__) && !defined(GRADUS_MATH_UNFUSED)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}
static inline double madd(double a, double b, double c) {
#if defined(__FMA__) && !defined(GRADUS_MATH_UNFUSED)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

static inline float bits_to_float(std::int32_t bits) {
    float out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}
static inline double bits_to_double(std::int64_t bits) {
    double out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}
static inline std::int32_t float_bits(float value) {
    std::int32_t out;
    std::memcpy(&out, &value, sizeof out);
    return out;
}
static inline std::int64_t double_bits(double value) {
    std::int64_t out;
    std::memcpy(&out, &value, sizeof out);
    return out;
}

/// e^r - 1 for |r| <= ln 2 / 2.
[[gnu::always_inline]] static inline float exp_less_one(float r) {
    float p = 1.9841270e-4f; // Taylor, degree 7: error below 6e-9
    p = madd(p, r, 1.3888889e-3f);
    p = madd(p, r, 8.3333333e-3f);
    p = madd(p, r, 4.1666667e-2f);
    p = madd(p, r, 1.6666667e-1f);
    p = madd(p, r, 0.5f);
    return madd(p * r, r, r);
}

/// exp(x) = 2^n · (1 + p), |r| <= ln 2 / 2: returns p = exp(r) - 1 and 2^(n-1),
/// which is representable for every finite result. Cody and Waite's two-part ln 2.
static inline float exp_parts(float x, float& half_two_n) {
    const float shifted = madd(x, 1.44269504f, 12582912.0f); // 1.5 · 2^23: the sum's low bits are round(x / ln 2)
    const float n = shifted - 12582912.0f;
    float r = madd(n, -0.693359375f, x);
    r = madd(n, 2.12194440e-4f, r);
    half_two_n = bits_to_float((float_bits(shifted) + 126) << 23); // the biased integer sits in the low bits
    return exp_less_one(r);
}
[[gnu::always_inline]] static inline double exp_parts(double x, double& half_two_n) {
    const double shifted = madd(x, 1.4426950408889634, 6755399441055744.0); // 1.5 · 2^52
    const double n = shifted - 6755399441055744.0;
    double r = madd(n, -6.93147180369123816490e-01, x);
    r = madd(n, -1.90821492927058770002e-10, r);
    double p = 1.6059043836821613e-10; // 1/13!
    p = madd(p, r, 2.0876756987868099e-09);
    p = madd(p, r, 2.5052108385441719e-08);
    p = madd(p, r, 2.7557319223985891e-07);
    p = madd(p, r, 2.7557319223985893e-06);
    p = madd(p, r, 2.4801587301587302e-05);
    p = madd(p, r, 1.9841269841269841e-04);
    p = madd(p, r, 1.3888888888888889e-03);
    p = madd(p, r, 8.3333333333333332e-03);
    p = madd(p, r, 4.1666666666666664e-02);
    p = madd(p, r, 1.6666666666666666e-01);
    p = madd(p, r, 0.5);
    half_two_n = bits_to_double((double_bits(shifted) + 1022) << 52);
    return madd(p * r, r, r);
}

static inline float clamped(float x, float low, float high) {
    x = x < low ? low : x; // a NaN fails both comparisons and stays
    return x > high ? high : x;
}
[[gnu::always_inline]] static inline double clamped(double x, double low, double high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}

/// e^x; 0 below -86.5 (fp64: -707), where the result is about the smallest normal number, infinity above the largest finite one.
/// The C library goes on with subnormal results, in fp32 to e^-103.97 = 1.4e-45: 2^n then is no bit pattern to be put together and
/// every call, also of the sums where such a term vanishes, would have to choose between two scales.
static inline float exp(float x) {
    float half;
    const float p = exp_parts(clamped(x, -86.5f, 88.72283f), half);
    const float y = 2.0f * madd(half, p, half);
    return x < -86.5f ? 0.0f : x > 88.72283f ? bits_to_float(0x7f800000) : y;
}
[[gnu::always_inline]] static inline double exp(double x) {
    double half;
    const double p = exp_parts(clamped(x, -707.0, 709.782712893384), half);
    const double y = 2.0 * madd(half, p, half);
    return x < -707.0 ? 0.0 : x > 709.782712893384 ? bits_to_double(0x7ff0000000000000) : y;
}

/// e^x for x <= 0 (and little above), with less work: 0 below -86.5. The polynomial of e^r is fitted to 2e-9, and
/// exactly 1 at 0.
static inline float exp_of_negative(float x) {
    const float shifted = madd(x, 1.44269504f, 12582912.0f);
    const float n = shifted - 12582912.0f;
    float r = madd(n, -0.693359375f, x);
    r = madd(n, 2.12194440e-4f, r);
    float p = 1.38434663e-3f;
    p = madd(p, r, 8.37431662e-3f);
    p = madd(p, r, 4.16680127e-2f);
    p = madd(p, r, 0.166664287f);
    p = madd(p, r, 0.49999994f);
    p = madd(p, r, 1.0f);
    p = madd(p, r, 1.0f);
    const float y = p * bits_to_float((float_bits(shifted) + 127) << 23);
    return x < -86.5f ? 0.0f : y;
}
[[gnu::always_inline]] static inline double exp_of_negative(double x) { return exp(x); }

/// e^x - 1 without cancellation near 0, for x <= 0.
static inline float expm1_negative(float x) {
    float half;
    const float p = exp_parts(clamped(x, -86.5f, 0.0f), half);
    return madd(2.0f * half, p, 2.0f * half - 1.0f);
}
static inline double expm1_negative(double x) {
    double half;
    const double p = exp_parts(clamped(x, -707.0, 0.0), half);
    return madd(2.0 * half, p, 2.0 * half - 1.0);
}

/// ln(1 + u) for 0 <= u <= 1: 2 · atanh(u / (2 + u)).
static inline float log1p_unit(float u) {
    const float s = u / (2.0f + u), q = s * s;
    float p = 1.0f / 15;
    p = madd(p, q, 1.0f / 13);
    p = madd(p, q, 1.0f / 11);
    p = madd(p, q, 1.0f / 9);
    p = madd(p, q, 1.0f / 7);
    p = madd(p, q, 1.0f / 5);
    p = madd(p, q, 1.0f / 3);
    return 2.0f * madd(p * q, s, s);
}
static inline double log1p_unit(double u) {
    const double s = u / (2.0 + u), q = s * s;
    double p = 1.0 / 35;
    p = madd(p, q, 1.0 / 33);
    p = madd(p, q, 1.0 / 31);
    p = madd(p, q, 1.0 / 29);
    p = madd(p, q, 1.0 / 27);
    p = madd(p, q, 1.0 / 25);
    p = madd(p, q, 1.0 / 23);
    p = madd(p, q, 1.0 / 21);
    p = madd(p, q, 1.0 / 19);
    p = madd(p, q, 1.0 / 17);
    p = madd(p, q, 1.0 / 15);
    p = madd(p, q, 1.0 / 13);
    p = madd(p, q, 1.0 / 11);
    p = madd(p, q, 1.0 / 9);
    p = madd(p, q, 1.0 / 7);
    p = madd(p, q, 1.0 / 5);
    p = madd(p, q, 1.0 / 3);
    return 2.0 * madd(p * q, s, s);
}

template <class T> static inline T log_at_edges(T x, T y, T smallest, T infinity) {
    y = x < smallest ? (x < T(0) ? infinity - infinity : -infinity) : y;
    return x < infinity ? y : x; // infinity and NaN as they are
}

/// ln x; -infinity at 0, NaN below. Subnormal arguments count as 0: scaling them first makes every call a third slower and more.
static inline float log(float x) {
    const auto bits = static_cast<std::uint32_t>(float_bits(x)); // unsigned: those of a negative x wrap
    // so that the mantissa lies in [√½, √2)
    const std::int32_t exponent = static_cast<std::int32_t>(bits - 0x3f3504f3u) >> 23;
    const float mantissa = bits_to_float(static_cast<std::int32_t>(bits - (static_cast<std::uint32_t>(exponent) << 23)));
    const float s = (mantissa - 1.0f) / (mantissa + 1.0f), q = s * s, n = static_cast<float>(exponent);
    float p = 1.0f / 11;
    p = madd(p, q, 1.0f / 9);
    p = madd(p, q, 1.0f / 7);
    p = madd(p, q, 1.0f / 5);
    p = madd(p, q, 1.0f / 3);
    const float fraction = 2.0f * madd(p * q, s, s);
    const float y = madd(n, 0.693359375f, madd(n, -2.12194440e-4f, fraction));
    return log_at_edges(x, y, 1.17549435e-38f, bits_to_float(0x7f800000));
}
[[gnu::always_inline]] static inline double log(double x) {
    const auto bits = static_cast<std::uint64_t>(double_bits(x));
    // The exponent with 1024 added is positive: AVX2 neither shifts nor converts 64 bits that have a sign.
    const std::uint64_t raised = (bits - 0x3fe6a09e667f3bcdu + 0x4000000000000000u) >> 52;
    const double mantissa = bits_to_double(static_cast<std::int64_t>(bits - (raised << 52) + 0x4000000000000000u));
    const double n = bits_to_double(static_cast<std::int64_t>(raised | 0x4330000000000000u)) - 4503599627371520.0; // 2^52 + 1024
    const double s = (mantissa - 1.0) / (mantissa + 1.0), q = s * s;
    double p = 1.0 / 23;
    p = madd(p, q, 1.0 / 21);
    p = madd(p, q, 1.0 / 19);
    p = madd(p, q, 1.0 / 17);
    p = madd(p, q, 1.0 / 15);
    p = madd(p, q, 1.0 / 13);
    p = madd(p, q, 1.0 / 11);
    p = madd(p, q, 1.0 / 9);
    p = madd(p, q, 1.0 / 7);
    p = madd(p, q, 1.0 / 5);
    p = madd(p, q, 1.0 / 3);
    const double fraction = 2.0 * madd(p * q, s, s);
    const double y = madd(n, 6.93147180369123816490e-01, madd(n, 1.90821492927058770002e-10, fraction));
    return log_at_edges(x, y, 2.2250738585072014e-308, bits_to_double(0x7ff0000000000000));
}

static inline float with_sign_of(float y, float x) { return __builtin_copysignf(y, x); }
static inline double with_sign_of(double y, double x) { return __builtin_copysign(y, x); }

/// tanh x = -m / (2 + m), m = e^(-2|x|) - 1, with the sign of x, that of a zero too.
template <class T> static inline T tanh(T x) {
    const T magnitude = x < T(0) ? -x : x;
    const T m = expm1_negative(T(-2) * magnitude);
    return with_sign_of(m / (T(2) + m), x);
}

/// σ(x) = 1 / (1 + e^-x), for both signs from e^-|x|, so that it neither overflows nor cancels.
template <class T> static inline T sigmoid(T x) {
    const T e = exp(x < T(0) ? x : -x);
    const T y = T(1) / (T(1) + e);
    return x < T(0) ? e * y : y;
}

/// sin and cos for |x| below some thousands: reduction by multiples of π/2, Taylor to degree 17.
[[gnu::always_inline]] static inline void sin_cos(double x, double& sine, double& cosine) {
    constexpr double shift = 6755399441055744.0; // 1.5 · 2^52: the sum's low bits are the nearest integer
    const double turns = x * 0.63661977236758134 + (x < 0 ? -0.5 : 0.5), nearest = (turns + shift) - shift;
    // Without its fraction, as a conversion to an integer would leave it; there is none for vectors before AVX-512.
    const double quarter = x < 0 ? (nearest < turns ? nearest + 1.0 : nearest) : (nearest > turns ? nearest - 1.0 : nearest);
    double r = madd(quarter, -1.57079632673412561417, x);
    r = madd(quarter, -6.07710050650619224932e-11, r);
    const double q = r * r;
    double s = 0, c = 0;
    for (int k = 17; k >= 3; k -= 2) s = (1.0 + s) * -q / ((k - 1) * k);
    for (int k = 18; k >= 2; k -= 2) c = (1.0 + c) * -q / ((k - 1) * k);
    s = r * (1.0 + s);
    c = 1.0 + c;
    const std::int64_t quadrant = double_bits(quarter + shift) & 3;
    sine = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
    cosine = quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s;
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
