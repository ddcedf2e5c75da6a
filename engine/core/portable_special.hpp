#pragma once

#include "engine/core/portable_math.hpp"

/// Powers and the normal distribution in plain arithmetic: see portable_math.hpp, whose rules hold here too. Branch-free,
/// and always inlined: a call would keep the loop around it from becoming vectors.
namespace gradus::GRADUS_MATH_NAMESPACE {

/// Φ(x) = ∫_-∞^x φ, and φ(x) = e^(-x²/2) / √(2π) as `density`. The smaller of Φ(x) and Φ(-x) is e^(-x²/2) · R(|x|), so the left
/// tail keeps its digits down to the smallest normal number.
/// (1 + 5/4·x) · R(x) is a polynomial of degree 22 in t = (x - 5) / (x + 5), interpolated at Chebyshev's nodes for 0 <= x <= 38
/// to 1.3e-17. The form is that of Shepherd and Laframboise 1981.
[[gnu::always_inline]] static inline double normal_cdf(double x, double& density) {
    double magnitude = x < 0 ? -x : x;
    magnitude = magnitude > 38.5 ? 38.5 : magnitude; // a NaN stays
    // x² = head² + rest with head² exact: rounding x² would cost the tail its last digits
    const double head = bits_to_double(double_bits(magnitude) & static_cast<std::int64_t>(0xfffffffff8000000));
    const double rest = 0.5 * (magnitude - head) * (magnitude + head); // below 4e-5
    const double bell = exp(-0.5 * head * head) * madd(rest, madd(rest, madd(rest, -1.0 / 6, 0.5), -1.0), 1.0);
    const double t = (magnitude - 5.0) / (magnitude + 5.0);
    double p = 1.0485199104134373e-09;
    p = madd(p, t, 5.2676424429295601e-09);
    p = madd(p, t, -9.2752456487804491e-12);
    p = madd(p, t, -4.1724730981967205e-08);
    p = madd(p, t, -2.4832969394318897e-08);
    p = madd(p, t, 2.5868933252185919e-07);
    p = madd(p, t, 1.3682193238819788e-07);
    p = madd(p, t, -1.6984420944271003e-06);
    p = madd(p, t, 8.2422791596000831e-08);
    p = madd(p, t, 1.1644045100063841e-05);
    p = madd(p, t, -1.4031627898820605e-05);
    p = madd(p, t, -6.7250372389496381e-05);
    p = madd(p, t, 2.4302460764274934e-04);
    p = madd(p, t, -2.3829598543012443e-05);
    p = madd(p, t, -2.1499781179818381e-03);
    p = madd(p, t, 8.7472119098194147e-03);
    p = madd(p, t, -2.1210861890973201e-02);
    p = madd(p, t, 3.6524679177467540e-02);
    p = madd(p, t, -4.4965141778901486e-02);
    p = madd(p, t, 3.2723909797539317e-02);
    p = madd(p, t, 9.7707575609530443e-03);
    p = madd(p, t, -7.8575963476508034e-02);
    p = madd(p, t, 5.5766496106879565e-01);
    const double tail = bell * (p / madd(1.25, magnitude, 1.0));
    density = 0.39894228040143268 * bell;
    return x < 0 ? tail : 1.0 - tail;
}

/// The same in single precision, to 3e-7 of the smaller of Φ(x) and Φ(-x) down to |x| = 13.1, from where on it is 0.
/// R(x) = t · P(t), t = 1 / (1 + x/4), P of degree 9 fitted at Chebyshev's nodes to 8e-9.
[[gnu::always_inline]] static inline float normal_cdf(float x, float& density) {
    const float size = x < 0 ? -x : x;
    const float magnitude = size > 13.1f ? 13.1f : size; // a NaN stays
    const float head = bits_to_float(float_bits(magnitude) & static_cast<std::int32_t>(0xfffff000));
    const float rest = -0.5f * (magnitude - head) * (magnitude + head), square = -0.5f * head * head; // exact
    const float shifted = madd(square, 1.44269504f, 12582912.0f); // as in exp_parts, `rest` added to what is left of the square
    const float n = shifted - 12582912.0f;
    float r = madd(n, -0.693359375f, square);
    r = madd(n, 2.12194440e-4f, r) + rest;
    const float e = exp_less_one(r);
    const float half = bits_to_float((float_bits(shifted) + 126) << 23);
    const float bell = size > 13.1f ? 0.0f : 2.0f * madd(half, e, half);
    const float t = 1.0f / madd(0.25f, magnitude, 1.0f);
    float p = 0.01635334f;
    p = madd(p, t, -0.06148568f);
    p = madd(p, t, 0.04837181f);
    p = madd(p, t, 0.03313033f);
    p = madd(p, t, 0.0085004f);
    p = madd(p, t, 0.0891084f);
    p = madd(p, t, 0.07107524f);
    p = madd(p, t, 0.09573289f);
    p = madd(p, t, 0.09946374f);
    p = madd(p, t, 0.09974955f);
    density = 0.398942280f * bell;
    const float tail = bell * (p * t);
    return x < 0 ? tail : 1.0f - tail;
}

/// x^p. Whole p up to ±16 are products of at most 4 squares, so 3² is 9; ±½ is a root; others are e^(p · ln |x|) with relative
/// error (2 + 2 |p · ln |x||) · 2.2e-16. NaN for negative x where p is not whole. x^0 and 1^p are 1, as in C.
[[gnu::always_inline]] static inline double power(double x, double p) {
    const double magnitude = x < 0 ? -x : x, size = p < 0 ? -p : p;
    const double shifted = size + 6755399441055744.0; // 1.5 · 2^52: below 2^51 the sum's low bits are round(size)
    const bool large = size >= 2251799813685248.0, whole = large || shifted - 6755399441055744.0 == size;
    const std::int64_t bits = double_bits(shifted);
    double y = exp(p * log(magnitude));
    y = magnitude == 1.0 ? 1.0 : y;
    const double signed_y = !large && (bits & 1) ? -y : y;
    y = x < 0 ? (whole ? signed_y : bits_to_double(0x7ff8000000000000)) : y;
    const double second = x * x, fourth = second * second, eighth = fourth * fourth;
    double product = (bits & 1) ? x : 1.0;
    product = (bits & 2) ? product * second : product;
    product = (bits & 4) ? product * fourth : product;
    product = (bits & 8) ? product * eighth : product;
    product = (bits & 16) ? product * (eighth * eighth) : product;
    product = p < 0 ? 1.0 / product : product;
    const double root = __builtin_sqrt(x);
    y = size == 0.5 ? (p < 0 ? 1.0 / root : root) : y;
    return whole && size <= 16.0 ? product : y;
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
