// One vector of the ISA path that this file is compiled for. Included once per path, inside its namespace.
// Plain intrinsics: `-ffp-contract=off` keeps the compiler from fusing what is not written fused.
#pragma once

#include <cstdint>
#include <immintrin.h>

namespace gradus::GRADUS_MATH_NAMESPACE {

/// stream: a store past the caches, onto a whole vector's boundary; call stores_in_order() before others may read it.
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
    void multiply_add(Vec a, Vec b) { v = _mm512_fmadd_ps(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm512_add_ps(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm512_sub_ps(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm512_mul_ps(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm512_max_ps(b.v, v)}; } // this one where b is not a number
    void stream(float* p) const { _mm512_stream_ps(p, v); }
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
    void multiply_add(Vec a, Vec b) { v = _mm512_fmadd_pd(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm512_add_pd(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm512_sub_pd(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm512_mul_pd(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm512_max_pd(b.v, v)}; } // this one where b is not a number
    void stream(double* p) const { _mm512_stream_pd(p, v); }
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
    void multiply_add(Vec a, Vec b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm256_add_ps(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm256_sub_ps(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm256_mul_ps(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm256_max_ps(b.v, v)}; } // this one where b is not a number
    void stream(float* p) const { _mm256_stream_ps(p, v); }
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
    void multiply_add(Vec a, Vec b) { v = _mm256_fmadd_pd(a.v, b.v, v); }
    Vec operator+(Vec b) const { return {_mm256_add_pd(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm256_sub_pd(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm256_mul_pd(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm256_max_pd(b.v, v)}; } // this one where b is not a number
    void stream(double* p) const { _mm256_stream_pd(p, v); }
};
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
    void multiply_add(Vec a, Vec b) { v = _mm_add_ps(_mm_mul_ps(a.v, b.v), v); }
    Vec operator+(Vec b) const { return {_mm_add_ps(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm_sub_ps(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm_mul_ps(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm_max_ps(b.v, v)}; } // this one where b is not a number
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
    void multiply_add(Vec a, Vec b) { v = _mm_add_pd(_mm_mul_pd(a.v, b.v), v); }
    Vec operator+(Vec b) const { return {_mm_add_pd(v, b.v)}; }
    Vec operator-(Vec b) const { return {_mm_sub_pd(v, b.v)}; }
    Vec operator*(Vec b) const { return {_mm_mul_pd(v, b.v)}; }
    Vec larger(Vec b) const { return {_mm_max_pd(b.v, v)}; } // this one where b is not a number
    void stream(double* p) const { _mm_stream_pd(p, v); }
};
constexpr int block_rows = 6, block_vectors = 2;
#endif

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
