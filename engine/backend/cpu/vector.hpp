// One vector of the ISA path that this file is compiled for. Included once per path, inside its namespace.
// Plain intrinsics: `-ffp-contract=off` keeps the compiler from fusing what is not written fused.
#pragma once

#include <cstdint>
#include <immintrin.h>

// An update may write onto what it reads, entry by entry; the compiler need not expect anything worse.
#ifdef __clang__
#define GRADUS_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define GRADUS_IVDEP _Pragma("GCC ivdep")
#endif

namespace gradus::GRADUS_MATH_NAMESPACE {

/// stream: a store past the caches, onto a whole vector's boundary; call stores_in_order() before others may read it.
/// take: entries [from, until) from where they would lie if p were the place of entry 0; nothing else is read.
/// What e^x needs has bits for operands: eight: 8 numbers, over and over; picked: that of them which an entry's low 3 bits name;
/// times_two_to_eighths: · 2^⌊n/8⌋, n the low bits; or_zero_below: 0 where a < b, unchanged where one is not a number.
/// smaller, larger: this one where one of them is not a number. by_sign: `negative` where x has the sign.
template <class T> struct Vec;

#if defined(__AVX512F__)
template <> struct Vec<float> {
    static constexpr int width = 16;
    __m512 v;
    static Vec zero() { return {_mm512_setzero_ps()}; }
    static Vec load(const float* p) { return {_mm512_loadu_ps(p)}; }
    static Vec broadcast(const float* p) { return {_mm512_set1_ps(*p)}; }
    void store(float* p) const { _mm512_storeu_ps(p, v); }
    void store_first(float* p, int n) const { _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1), v); }
    static Vec load_first(const float* p, int n) { return {_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p)}; }
    void take(const float* p, int from, int until) {
        v = _mm512_mask_loadu_ps(v, static_cast<__mmask16>((1u << until) - (1u << from)), p);
    }
    void multiply_add(Vec a, Vec b) { v = _mm512_fmadd_ps(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm512_add_ps(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm512_sub_ps(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm512_mul_ps(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm512_max_ps(b.v, v)}; }
    void stream(float* p) const { _mm512_stream_ps(p, v); }
    static Vec all(float x) { return {_mm512_set1_ps(x)}; }
    static Vec eight(const float* p) { return {_mm512_maskz_broadcast_f32x8(0xffff, _mm256_loadu_ps(p))}; }
    Vec picked(Vec eight) const { return {_mm512_maskz_permutexvar_ps(0xffff, _mm512_castps_si512(v), eight.v)}; }
    Vec times_two_to_eighths(Vec n) const {
        const __m512i exponent = _mm512_slli_epi32(_mm512_srai_epi32(_mm512_castps_si512(n.v), 3), 23);
        return {_mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(v), exponent))};
    }
    Vec or_zero_below(Vec a, Vec b) const { return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a.v, b.v, _CMP_NLT_UQ), v)}; }
    Vec operator/(Vec b) const { return {_mm512_div_ps(v, b.v)}; }
    Vec smaller(Vec b) const { return {_mm512_min_ps(b.v, v)}; }
    Vec magnitude() const { return {_mm512_abs_ps(v)}; }
    static Vec by_sign(Vec x, Vec negative, Vec other) {
        return {_mm512_mask_mov_ps(other.v, _mm512_movepi32_mask(_mm512_castps_si512(x.v)), negative.v)};
    }
};
template <> struct Vec<double> {
    static constexpr int width = 8;
    __m512d v;
    static Vec zero() { return {_mm512_setzero_pd()}; }
    static Vec load(const double* p) { return {_mm512_loadu_pd(p)}; }
    static Vec broadcast(const double* p) { return {_mm512_set1_pd(*p)}; }
    void store(double* p) const { _mm512_storeu_pd(p, v); }
    void store_first(double* p, int n) const { _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1), v); }
    static Vec load_first(const double* p, int n) { return {_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p)}; }
    void take(const double* p, int from, int until) {
        v = _mm512_mask_loadu_pd(v, static_cast<__mmask8>((1u << until) - (1u << from)), p);
    }
    void multiply_add(Vec a, Vec b) { v = _mm512_fmadd_pd(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm512_add_pd(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm512_sub_pd(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm512_mul_pd(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm512_max_pd(b.v, v)}; }
    void stream(double* p) const { _mm512_stream_pd(p, v); }
};
/// Half of one, for the last columns of a product: two of them take as long as one whole.
template <class T> struct HalfVec;
template <> struct HalfVec<float> {
    static constexpr int width = 8;
    __m256 v;
    static constexpr __mmask8 first(int n) { return static_cast<__mmask8>((1u << n) - 1); }
    static HalfVec zero() { return {_mm256_setzero_ps()}; }
    static HalfVec load(const float* p) { return {_mm256_loadu_ps(p)}; }
    static HalfVec broadcast(const float* p) { return {_mm256_broadcast_ss(p)}; }
    static HalfVec load_first(const float* p, int n) { return {_mm256_maskz_loadu_ps(first(n), p)}; }
    void take(const float* p, int from, int until) {
        v = _mm256_mask_loadu_ps(v, static_cast<__mmask8>((1u << until) - (1u << from)), p);
    }
    void store(float* p) const { _mm256_storeu_ps(p, v); }
    void store_first(float* p, int n) const { _mm256_mask_storeu_ps(p, first(n), v); }
    void multiply_add(HalfVec a, HalfVec b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
    HalfVec operator+(HalfVec b) const { return {_mm256_add_ps(v, b.v)}; }
};
template <> struct HalfVec<double> {
    static constexpr int width = 4;
    __m256d v;
    static constexpr __mmask8 first(int n) { return static_cast<__mmask8>((1u << n) - 1); }
    static HalfVec zero() { return {_mm256_setzero_pd()}; }
    static HalfVec load(const double* p) { return {_mm256_loadu_pd(p)}; }
    static HalfVec broadcast(const double* p) { return {_mm256_broadcast_sd(p)}; }
    static HalfVec load_first(const double* p, int n) { return {_mm256_maskz_loadu_pd(first(n), p)}; }
    void take(const double* p, int from, int until) {
        v = _mm256_mask_loadu_pd(v, static_cast<__mmask8>((1u << until) - (1u << from)), p);
    }
    void store(double* p) const { _mm256_storeu_pd(p, v); }
    void store_first(double* p, int n) const { _mm256_mask_storeu_pd(p, first(n), v); }
    void multiply_add(HalfVec a, HalfVec b) { v = _mm256_fmadd_pd(a.v, b.v, v); }
    HalfVec operator+(HalfVec b) const { return {_mm256_add_pd(v, b.v)}; }
};
constexpr int block_rows = 14, block_vectors = 2; // 28 accumulators, 2 of B, 1 of A in 32 registers
#elif defined(__AVX2__)
template <> struct Vec<float> {
    static constexpr int width = 8;
    __m256 v;
    static Vec zero() { return {_mm256_setzero_ps()}; }
    static Vec load(const float* p) { return {_mm256_loadu_ps(p)}; }
    static Vec broadcast(const float* p) { return {_mm256_broadcast_ss(p)}; }
    void store(float* p) const { _mm256_storeu_ps(p, v); }
    void store_first(float* p, int n) const {
        for (int i = 0; i < n; ++i) p[i] = v[i];
    }
    static Vec load_first(const float* p, int n) {
        Vec out = zero();
        for (int i = 0; i < n; ++i) out.v[i] = p[i];
        return out;
    }
    void take(const float* p, int from, int until) {
        const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        const __m256i before = _mm256_cmpgt_epi32(_mm256_set1_epi32(from), lane);
        const __m256i taken = _mm256_andnot_si256(before, _mm256_cmpgt_epi32(_mm256_set1_epi32(until), lane));
        v = _mm256_blendv_ps(v, _mm256_maskload_ps(p, taken), _mm256_castsi256_ps(taken));
    }
    void multiply_add(Vec a, Vec b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm256_add_ps(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm256_sub_ps(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm256_mul_ps(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm256_max_ps(b.v, v)}; }
    void stream(float* p) const { _mm256_stream_ps(p, v); }
    static Vec all(float x) { return {_mm256_set1_ps(x)}; }
    static Vec eight(const float* p) { return {_mm256_loadu_ps(p)}; }
    Vec picked(Vec eight) const { return {_mm256_permutevar8x32_ps(eight.v, _mm256_castps_si256(v))}; }
    Vec times_two_to_eighths(Vec n) const {
        const __m256i exponent = _mm256_slli_epi32(_mm256_srai_epi32(_mm256_castps_si256(n.v), 3), 23);
        return {_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(v), exponent))};
    }
    Vec or_zero_below(Vec a, Vec b) const { return {_mm256_and_ps(_mm256_cmp_ps(a.v, b.v, _CMP_NLT_UQ), v)}; }
    Vec operator/(Vec b) const { return {_mm256_div_ps(v, b.v)}; }
    Vec smaller(Vec b) const { return {_mm256_min_ps(b.v, v)}; }
    Vec magnitude() const { return {_mm256_andnot_ps(all(-0.0f).v, v)}; }
    static Vec by_sign(Vec x, Vec negative, Vec other) { return {_mm256_blendv_ps(other.v, negative.v, x.v)}; }
};
template <> struct Vec<double> {
    static constexpr int width = 4;
    __m256d v;
    static Vec zero() { return {_mm256_setzero_pd()}; }
    static Vec load(const double* p) { return {_mm256_loadu_pd(p)}; }
    static Vec broadcast(const double* p) { return {_mm256_broadcast_sd(p)}; }
    void store(double* p) const { _mm256_storeu_pd(p, v); }
    void store_first(double* p, int n) const {
        for (int i = 0; i < n; ++i) p[i] = v[i];
    }
    static Vec load_first(const double* p, int n) {
        Vec out = zero();
        for (int i = 0; i < n; ++i) out.v[i] = p[i];
        return out;
    }
    void take(const double* p, int from, int until) {
        const __m256i lane = _mm256_setr_epi64x(0, 1, 2, 3);
        const __m256i before = _mm256_cmpgt_epi64(_mm256_set1_epi64x(from), lane);
        const __m256i taken = _mm256_andnot_si256(before, _mm256_cmpgt_epi64(_mm256_set1_epi64x(until), lane));
        v = _mm256_blendv_pd(v, _mm256_maskload_pd(p, taken), _mm256_castsi256_pd(taken));
    }
    void multiply_add(Vec a, Vec b) { v = _mm256_fmadd_pd(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm256_add_pd(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm256_sub_pd(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm256_mul_pd(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm256_max_pd(b.v, v)}; }
    void stream(double* p) const { _mm256_stream_pd(p, v); }
};
template <class T> using HalfVec = Vec<T>; // its own halves are no faster than it is
constexpr int block_rows = 6, block_vectors = 2; // 12 accumulators, 2 of B, 1 of A in 16 registers
#else
template <> struct Vec<float> {
    static constexpr int width = 4;
    __m128 v;
    static Vec zero() { return {_mm_setzero_ps()}; }
    static Vec load(const float* p) { return {_mm_loadu_ps(p)}; }
    static Vec broadcast(const float* p) { return {_mm_set1_ps(*p)}; }
    void store(float* p) const { _mm_storeu_ps(p, v); }
    void store_first(float* p, int n) const {
        for (int i = 0; i < n; ++i) p[i] = v[i];
    }
    static Vec load_first(const float* p, int n) {
        Vec out = zero();
        for (int i = 0; i < n; ++i) out.v[i] = p[i];
        return out;
    }
    void take(const float* p, int from, int until) {
        for (int i = from; i < until; ++i) v[i] = p[i];
    }
    void multiply_add(Vec a, Vec b) { v = _mm_add_ps(_mm_mul_ps(a.v, b.v), v); }
    Vec operator+(Vec b) const { return {_mm_add_ps(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm_sub_ps(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm_mul_ps(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm_max_ps(b.v, v)}; }
    void stream(float* p) const { _mm_stream_ps(p, v); }
};
template <> struct Vec<double> {
    static constexpr int width = 2;
    __m128d v;
    static Vec zero() { return {_mm_setzero_pd()}; }
    static Vec load(const double* p) { return {_mm_loadu_pd(p)}; }
    static Vec broadcast(const double* p) { return {_mm_set1_pd(*p)}; }
    void store(double* p) const { _mm_storeu_pd(p, v); }
    void store_first(double* p, int n) const {
        for (int i = 0; i < n; ++i) p[i] = v[i];
    }
    static Vec load_first(const double* p, int n) {
        Vec out = zero();
        for (int i = 0; i < n; ++i) out.v[i] = p[i];
        return out;
    }
    void take(const double* p, int from, int until) {
        for (int i = from; i < until; ++i) v[i] = p[i];
    }
    void multiply_add(Vec a, Vec b) { v = _mm_add_pd(_mm_mul_pd(a.v, b.v), v); }
    Vec operator+(Vec b) const { return {_mm_add_pd(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm_sub_pd(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm_mul_pd(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm_max_pd(b.v, v)}; }
    void stream(double* p) const { _mm_stream_pd(p, v); }
};
template <class T> using HalfVec = Vec<T>;
constexpr int block_rows = 6, block_vectors = 2;
#endif

/// a · b + c, fused where the path has the instruction.
template <class T> static inline Vec<T> madd(Vec<T> a, Vec<T> b, Vec<T> c) {
    c.multiply_add(a, b);
    return c;
}

static inline void stores_in_order() { _mm_sfence(); }

/// Copies `count` numbers past the caches: what is not read again soon need not be read from memory before it is written.
template <class T> static inline void stream_copy(const T* from, T* to, std::int64_t count) {
    constexpr int width = Vec<T>::width;
    std::int64_t i = 0;
    for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % (width * sizeof(T)) != 0; ++i) to[i] = from[i];
    for (; i + width <= count; i += width) Vec<T>::load(from + i).stream(to + i);
    for (; i < count; ++i) to[i] = from[i];
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
