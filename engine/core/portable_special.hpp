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

/// a² + t, nearly exact, for a t of at most 24 bits that cancels most of a²: rounding the square first would cost the sum its digits.
[[gnu::always_inline]] static inline float square_plus(float a, float t) {
    const float head = bits_to_float(float_bits(a) & static_cast<std::int32_t>(0xfffff000)); // its square is exact
    return (head * head + t) + (a - head) * (a + head);
}

/// Mills' ratio Φ(-a) / φ(a), a quotient of polynomials of degree 4 and 5 with 1 as first coefficients, fitted to 1.4e-8 for
/// 0 <= a <= 13.27. F is a float or a vector of them, which `of` makes of one number.
template <class F, class Of> [[gnu::always_inline]] static inline F mills_ratio(F a, Of&& of) {
    F above = a + of(9.43130207f);
    above = madd(above, a, of(41.1119461f));
    above = madd(above, a, of(95.527504f));
    above = madd(above, a, of(104.919449f));
    F below = a + of(9.43141747f);
    below = madd(below, a, of(42.1068993f));
    below = madd(below, a, of(105.053421f));
    below = madd(below, a, of(143.013794f));
    below = madd(below, a, of(83.7136078f));
    return above / below;
}

/// Φ(-|x|), and φ(x) as `density`, in single precision: to 5e-7 of each down to |x| = 13.1; from 13.25 on they are 0.
/// Φ(-a) = φ(a) · M(a); φ(a) = 2^n · e^(-q/2) / √(2π), q = a² + 2n · ln 2, the power of degree 6 to 2e-9.
[[gnu::always_inline]] static inline float normal_tail(float x, float& density) {
    const float size = x < 0 ? -x : x;
    const float a = size > 13.27f ? 13.27f : size; // where 2^n is 0; a NaN stays
    const float shifted = madd(a * a, -0.72134752f, 12582912.0f); // the low bits are n, as in exp_parts
    const float n = shifted - 12582912.0f;
    const float q = madd(n, -4.2438888e-4f, square_plus(a, n * 1.38671875f));
    float e = 8.62503e-06f;
    e = madd(e, q, -1.04410435e-4f);
    e = madd(e, q, 1.03895133e-3f);
    e = madd(e, q, -8.31117295e-3f);
    e = madd(e, q, 0.0498677716f);
    e = madd(e, q, -0.199471133f);
    e = madd(e, q, 0.39894228f);
    density = e * bits_to_float((float_bits(shifted) + 127) << 23);
    return density * mills_ratio(a, [](float number) { return number; });
}
[[gnu::always_inline]] static inline float normal_cdf(float x, float& density) {
    const float tail = normal_tail(x, density);
    return x < 0 ? tail : 1.0f - tail;
}

/// x, but no further from 0 than where Φ(-|x|) and φ(x) are 0 in either precision: products with these have their limits at ±∞, too.
template <class T> [[gnu::always_inline]] static inline T within_normal_tails(T x) {
    constexpr T end = 40;
    const T above = x < -end ? -end : x;
    return above > end ? end : above; // a NaN stays
}

/// x · Φ(x), and its limits: 0 at -∞, ∞ at ∞. In single precision it is max(x, 0) - |x| · Φ(-|x|), which needs no choice between the
/// tails; -|x| may end at the magnitude where the tail is 0.
[[gnu::always_inline]] static inline double gelu_of(double x) {
    double density;
    const double cdf = normal_cdf(x, density);
    return x < 0 ? within_normal_tails(x) * cdf : x * cdf;
}
[[gnu::always_inline]] static inline float gelu_of(float x) {
    float density;
    const float tail = normal_tail(x, density), size = x < 0 ? -x : x;
    return madd(size > 13.27f ? -13.27f : -size, tail, x > 0 ? x : 0.0f);
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
