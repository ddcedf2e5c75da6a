#pragma once

#include "engine/core/normal_paths.hpp"

#define GRADUS_MATH_UNFUSED // as in philox.cpp: one rounding more, and the same bits
#include "engine/core/portable_math.hpp"

#include <immintrin.h>

/// Philox and Box-Muller, several pairs at a time. Compiled once per ISA path, in the namespace that the includer names.
namespace gradus::GRADUS_MATH_NAMESPACE {

#ifdef __AVX512F__ // masked, since GCC 12 warns of what the plain one leaves undefined
using Words [[gnu::vector_size(64)]] = unsigned long long;
static inline Words wide_product(Words a, Words b) { return reinterpret_cast<Words>(_mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b))); }
#else
using Words [[gnu::vector_size(32)]] = unsigned long long;
static inline Words wide_product(Words a, Words b) { return reinterpret_cast<Words>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b))); }
#endif

constexpr std::uint64_t pairs = NormalPath::numbers / 2, lanes = sizeof(Words) / sizeof(std::uint64_t);

/// 53 bits of each half of the blocks from `first` on: what Philox::uniform() makes numbers of. A word stands in the lower half of a lane;
/// the upper one holds what is left of products, which the next product does not read.
static inline void make_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::uint64_t* even, std::uint64_t* odd) {
    Words offsets{};
    for (std::uint64_t lane = 0; lane < lanes; ++lane) offsets[lane] = lane;
    for (std::uint64_t i = 0; i < pairs; i += lanes) {
        Words c0 = offsets + (first + i), c1 = c0 >> 32, c2 = Words{} + stream, c3 = c2 >> 32;
        std::uint32_t key0 = static_cast<std::uint32_t>(seed), key1 = static_cast<std::uint32_t>(seed >> 32);
        for (int round = 0; round < 10; ++round) {
            const Words product0 = wide_product(c0, Words{} + 0xD2511F53u), product1 = wide_product(c2, Words{} + 0xCD9E8D57u);
            c0 = product1 >> 32 ^ c1 ^ key0, c1 = product1;
            c2 = product0 >> 32 ^ c3 ^ key1, c3 = product0;
            key0 += 0x9E3779B9u, key1 += 0xBB67AE85u;
        }
        const Words high = (c0 << 32 | (c1 & 0xffffffffu)) >> 11, low = (c2 << 32 | (c3 & 0xffffffffu)) >> 11;
        std::memcpy(even + i, &high, sizeof high);
        std::memcpy(odd + i, &low, sizeof low);
    }
}

/// bits · 2^-53, exact: by halves, since AVX2 converts no 64-bit integers.
[[gnu::always_inline]] static inline double unit(std::uint64_t bits) {
    constexpr std::uint64_t exponent = 0x4330000000000000u; // of 2^52, below which an integer stands as it is
    const double high = bits_to_double(static_cast<std::int64_t>(bits >> 32 | exponent)) - 0x1p52;
    const double low = bits_to_double(static_cast<std::int64_t>((bits & 0xffffffffu) | exponent)) - 0x1p52;
    return (high * 0x1p32 + low) * 0x1p-53;
}

static void make_normals(std::uint64_t seed, std::uint64_t stream, std::uint64_t first_pair, double* out) {
    std::uint64_t even[pairs], odd[pairs];
    make_bits(seed, stream, first_pair, even, odd);
    for (std::uint64_t i = 0; i < pairs; ++i) {
        const double radius = __builtin_sqrt(-2.0 * log(1.0 - unit(even[i])));
        double sine, cosine;
        sin_cos(2.0 * 3.141592653589793238 * unit(odd[i]), sine, cosine);
        out[2 * i] = radius * cosine;
        out[2 * i + 1] = radius * sine;
    }
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
