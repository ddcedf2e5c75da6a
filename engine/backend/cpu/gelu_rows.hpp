// x · Φ(x) and its slope along rows, of one ISA path. Included once per path. Formulas stand at the ops
// (engine/ops/elementwise.hpp) and at normal_tail (engine/core/portable_special.hpp).
#pragma once

#include "engine/backend/cpu/row_exp.hpp"
#include "engine/core/portable_special.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

/// gelu'(x) = Φ(x) + x · φ(x), and its limits: 0 at -∞, 1 at ∞.
template <class T> [[gnu::always_inline]] static inline T gelu_slope(T x) {
    T density;
    const T cdf = normal_cdf(x, density);
    return madd(within_normal_tails(x), density, cdf);
}

/// out = x · Φ(x). out may be x.
template <class T> static void gelu_row(const T* x, T* out, std::int64_t count) {
GRADUS_IVDEP
    for (std::int64_t j = 0; j < count; ++j) out[j] = gelu_of(x[j]);
}
/// The same past the caches; then stores_in_order().
template <class T> static void gelu_row_streamed(const T* x, T* out, std::int64_t count) {
    constexpr std::int64_t part = 1024;
    alignas(64) T room[part];
    for (std::int64_t from = 0; from < count; from += part) {
        const std::int64_t some = count - from < part ? count - from : part;
        gelu_row(x + from, room, some);
        stream_copy(room, out + from, some);
    }
}
/// out = dy · gelu'(x). out may be x or dy.
template <class T> static void gelu_slope_row(const T* x, const T* dy, T* out, std::int64_t count) {
GRADUS_IVDEP
    for (std::int64_t j = 0; j < count; ++j) out[j] = dy[j] * gelu_slope(x[j]);
}

#if defined(__AVX2__)

/// Φ(-a) and φ(a) as `density`, a the smaller of |x| and 13.1; both are 0 where |x| itself, `size`, is more. As normal_tail,
/// but with φ(a) = φ(0) · 2^(n/8) · e^(-q/2), q = a² + 2 · n/8 · ln 2, from the roots of 2 as in
/// exp_of_negative; `roots` are multiplied by φ(0).
static inline Vec<float> normal_tail(Vec<float> a, Vec<float> size, Vec<float> roots, Vec<float>& density) {
    const auto all = Vec<float>::all;
    const Vec<float> shift = all(12582912.0f), shifted = madd(a * a, all(-5.77078009f), shift), n = shifted - shift;
    const Vec<float> q = madd(n, all(-5.30486104e-5f), madd(a, a, n * all(0.17333984375f))); // the product is exact
    const Vec<float> p = madd(madd(q, all(-0.0208335742f), all(0.125016153f)), q, all(-0.5f)); // of exp_of_negative, at -q/2
    const Vec<float> root = shifted.picked(roots).times_two_to_eighths(shifted);
    density = madd(p * q, root, root).or_zero_below(all(13.1f), size);
    return density * mills_ratio(a, all);
}
static inline Vec<float> density_roots() {
    static constexpr float roots[8] = {0.398942292f, 0.435049653f, 0.474424988f, 0.517364144f,
                                       0.564189613f, 0.615253091f, 0.670938253f, 0.731663346f};
    return Vec<float>::eight(roots);
}

/// max(x, 0) - |x| · Φ(-|x|).
static inline Vec<float> gelu_of(Vec<float> x, Vec<float> roots) {
    const Vec<float> size = x.magnitude(), a = size.smaller(Vec<float>::all(13.1f));
    Vec<float> density;
    return Vec<float>::zero().larger(x) - a * normal_tail(a, size, roots, density);
}
static inline Vec<float> gelu_slope(Vec<float> x, Vec<float> roots) {
    const Vec<float> size = x.magnitude(), a = size.smaller(Vec<float>::all(13.1f));
    Vec<float> density;
    const Vec<float> tail = normal_tail(a, size, roots, density);
    return Vec<float>::by_sign(x, tail - a * density, madd(a, density, Vec<float>::all(1.0f) - tail));
}

template <> void gelu_row(const float* x, float* out, std::int64_t count) {
    constexpr int width = Vec<float>::width;
    const Vec<float> roots = density_roots();
    std::int64_t j = 0;
    for (; j + width <= count; j += width) gelu_of(Vec<float>::load(x + j), roots).store(out + j);
    const auto rest = static_cast<int>(count - j);
    if (rest > 0) gelu_of(Vec<float>::load_first(x + j, rest), roots).store_first(out + j, rest);
}
/// Vector by vector, so that the arithmetic goes on while memory is waited for.
template <> void gelu_row_streamed(const float* x, float* out, std::int64_t count) {
    constexpr int width = Vec<float>::width;
    const Vec<float> roots = density_roots();
    std::int64_t j = 0;
    while (j < count && reinterpret_cast<std::uintptr_t>(out + j) % (width * sizeof(float)) != 0) ++j;
    gelu_row(x, out, j);
    for (; j + width <= count; j += width) gelu_of(Vec<float>::load(x + j), roots).stream(out + j);
    gelu_row(x + j, out + j, count - j);
}
template <> void gelu_slope_row(const float* x, const float* dy, float* out, std::int64_t count) {
    constexpr int width = Vec<float>::width;
    const Vec<float> roots = density_roots();
    std::int64_t j = 0;
    for (; j + width <= count; j += width) (Vec<float>::load(dy + j) * gelu_slope(Vec<float>::load(x + j), roots)).store(out + j);
    const auto rest = static_cast<int>(count - j);
    if (rest == 0) return;
    const Vec<float> slope = gelu_slope(Vec<float>::load_first(x + j, rest), roots);
    (Vec<float>::load_first(dy + j, rest) * slope).store_first(out + j, rest);
}

#endif

} // namespace gradus::GRADUS_MATH_NAMESPACE
