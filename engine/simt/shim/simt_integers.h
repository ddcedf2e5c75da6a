#pragma once
#pragma GCC system_header

// CUDA's functions of integers' bits, and conversions between integers and floating-point numbers.

#include "vector_types.h"

SIMT_QUIET int __popc(unsigned x) { return __builtin_popcount(x); }
SIMT_QUIET int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIMT_QUIET int __clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
SIMT_QUIET int __clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
SIMT_QUIET int __ffs(int x) { return __builtin_ffs(x); }
SIMT_QUIET int __ffsll(long long x) { return __builtin_ffsll(x); }
SIMT_QUIET unsigned __brev(unsigned x) {
    unsigned out = 0;
    for (int i = 0; i < 32; ++i) out |= (x >> i & 1) << (31 - i);
    return out;
}
SIMT_QUIET unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 | __brev(static_cast<unsigned>(x >> 32));
}
/// Four of the eight bytes of y:x, each chosen by a nibble of s, of which three bits count.
SIMT_QUIET unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
    const uint64_t bytes = static_cast<uint64_t>(y) << 32 | x;
    unsigned out = 0;
    for (int i = 0; i < 4; ++i) out |= static_cast<unsigned>(bytes >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
    return out;
}
SIMT_QUIET unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
SIMT_QUIET unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}
SIMT_QUIET unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) << (shift < 32 ? shift : 32) >> 32);
}
SIMT_QUIET unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift < 32 ? shift : 32));
}

SIMT_QUIET int __mulhi(int x, int y) { return static_cast<int>(static_cast<int64_t>(x) * y >> 32); }
SIMT_QUIET unsigned __umulhi(unsigned x, unsigned y) { return static_cast<unsigned>(static_cast<uint64_t>(x) * y >> 32); }
SIMT_QUIET long long __mul64hi(long long x, long long y) { return static_cast<long long>(static_cast<__int128>(x) * y >> 64); }
SIMT_QUIET unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
/// The low 32 bits of the product of the low 24 bits.
SIMT_QUIET int __mul24(int x, int y) {
    const int64_t a = static_cast<int>(static_cast<unsigned>(x) << 8) >> 8, b = static_cast<int>(static_cast<unsigned>(y) << 8) >> 8;
    return static_cast<int>(static_cast<unsigned>(a * b));
}
SIMT_QUIET unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffu) * (y & 0xffffffu); }
SIMT_QUIET unsigned __sad(int x, int y, unsigned z) { return z + (x < y ? static_cast<unsigned>(y) - static_cast<unsigned>(x) : static_cast<unsigned>(x) - static_cast<unsigned>(y)); }
SIMT_QUIET unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
SIMT_QUIET int __hadd(int x, int y) { return static_cast<int>((static_cast<int64_t>(x) + y) >> 1); }
SIMT_QUIET int __rhadd(int x, int y) { return static_cast<int>((static_cast<int64_t>(x) + y + 1) >> 1); }
SIMT_QUIET unsigned __uhadd(unsigned x, unsigned y) { return static_cast<unsigned>((static_cast<uint64_t>(x) + y) >> 1); }
SIMT_QUIET unsigned __urhadd(unsigned x, unsigned y) { return static_cast<unsigned>((static_cast<uint64_t>(x) + y + 1) >> 1); }

/// The sum of four products of bytes, and c.
SIMT_QUIET int __dp4a(int a, int b, int c) {
    unsigned sum = static_cast<unsigned>(c);
    for (int i = 0; i < 4; ++i) sum += static_cast<unsigned>(static_cast<int8_t>(a >> 8 * i) * static_cast<int8_t>(b >> 8 * i));
    return static_cast<int>(sum);
}
SIMT_QUIET unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 4; ++i) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    return c;
}
SIMT_SEEN int __dp4a(char4 a, char4 b, int c) { return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c); }
SIMT_SEEN unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c); }

SIMT_SEEN int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SIMT_SEEN unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
SIMT_SEEN float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SIMT_SEEN float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
SIMT_SEEN long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
SIMT_SEEN double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
SIMT_SEEN int __double2hiint(double x) { return static_cast<int>(__builtin_bit_cast(int64_t, x) >> 32); }
SIMT_SEEN int __double2loint(double x) { return static_cast<int>(__builtin_bit_cast(int64_t, x)); }
SIMT_SEEN double __hiloint2double(int high, int low) {
    return __builtin_bit_cast(double, static_cast<uint64_t>(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}

enum class SimtRounding { nearest, zero, up, down };

/// As the PTX ISA's cvt: too large becomes the largest; NaN becomes 0, or the top bit alone if the source or the result has 64 bits.
template <class To, class From>
SIMT_QUIET To simt_to_integer(From from, SimtRounding rounding) {
    const double x = static_cast<double>(from);
    constexpr bool wide = sizeof(To) == 8 || sizeof(From) == 8;
    constexpr To least = std::is_signed_v<To> ? static_cast<To>(uint64_t{1} << (8 * sizeof(To) - 1)) : 0;
    constexpr To most = static_cast<To>(std::is_signed_v<To> ? ~(uint64_t{1} << (8 * sizeof(To) - 1)) : ~uint64_t{0});
    if (x != x) return wide ? static_cast<To>(uint64_t{1} << (8 * sizeof(To) - 1)) : 0;
    double whole = x;
    if (rounding == SimtRounding::nearest) whole = __builtin_rint(x);
    if (rounding == SimtRounding::zero) whole = __builtin_trunc(x);
    if (rounding == SimtRounding::up) whole = __builtin_ceil(x);
    if (rounding == SimtRounding::down) whole = __builtin_floor(x);
    if (whole <= static_cast<double>(least)) return least;
    if (whole >= static_cast<double>(most)) return most;
    return static_cast<To>(whole);
}

/// Of an integer or a double the float next to it in the direction asked for.
template <class From>
SIMT_QUIET float simt_to_float(From from, SimtRounding rounding) {
    const float near = static_cast<float>(from);
    const long double exact = static_cast<long double>(from), off = static_cast<long double>(near) - exact;
    const bool upwards = rounding == SimtRounding::up || (rounding == SimtRounding::zero && exact < 0);
    if (rounding == SimtRounding::nearest || off == 0 || exact != exact) return near;
    if (upwards && off < 0) return __builtin_nextafterf(near, __builtin_inff());
    if (!upwards && off > 0) return __builtin_nextafterf(near, -__builtin_inff());
    return near;
}

#define SIMT_CONVERT(name, To, From, core)                                                                                               \
    SIMT_QUIET To name##_rn(From x) { return core(x, SimtRounding::nearest); }                                                           \
    SIMT_QUIET To name##_rz(From x) { return core(x, SimtRounding::zero); }                                                              \
    SIMT_QUIET To name##_ru(From x) { return core(x, SimtRounding::up); }                                                                \
    SIMT_QUIET To name##_rd(From x) { return core(x, SimtRounding::down); }
SIMT_CONVERT(__float2int, int, float, simt_to_integer<int>)
SIMT_CONVERT(__float2uint, unsigned, float, simt_to_integer<unsigned>)
SIMT_CONVERT(__float2ll, long long, float, simt_to_integer<long long>)
SIMT_CONVERT(__float2ull, unsigned long long, float, simt_to_integer<unsigned long long>)
SIMT_CONVERT(__double2int, int, double, simt_to_integer<int>)
SIMT_CONVERT(__double2uint, unsigned, double, simt_to_integer<unsigned>)
SIMT_CONVERT(__double2ll, long long, double, simt_to_integer<long long>)
SIMT_CONVERT(__double2ull, unsigned long long, double, simt_to_integer<unsigned long long>)
SIMT_CONVERT(__int2float, float, int, simt_to_float)
SIMT_CONVERT(__uint2float, float, unsigned, simt_to_float)
SIMT_CONVERT(__ll2float, float, long long, simt_to_float)
SIMT_CONVERT(__ull2float, float, unsigned long long, simt_to_float)
SIMT_CONVERT(__double2float, float, double, simt_to_float)
#undef SIMT_CONVERT
SIMT_SEEN double __int2double_rn(int x) { return x; }
SIMT_SEEN double __uint2double_rn(unsigned x) { return x; }
SIMT_SEEN double __ll2double_rn(long long x) { return static_cast<double>(x); }
SIMT_SEEN double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
