// The shim's arithmetic, compiled as kernels are.

#include "tests/simt/shim/numbers.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace gradus::shim_test {

namespace {
__half half_of(unsigned short bits) { return __ushort_as_half(bits); }
__nv_bfloat16 bfloat_of(unsigned short bits) { return __ushort_as_bfloat16(bits); }
} // namespace

float half_to_float(unsigned short bits) { return __half2float(half_of(bits)); }
unsigned short float_to_half(float x, int rounding) {
    if (rounding == 1) return __half_as_ushort(__float2half_rz(x));
    if (rounding == 2) return __half_as_ushort(__float2half_ru(x));
    if (rounding == 3) return __half_as_ushort(__float2half_rd(x));
    return __half_as_ushort(__float2half_rn(x));
}
unsigned short double_to_half(double x) { return __half_as_ushort(__double2half(x)); }
float bfloat_to_float(unsigned short bits) { return __bfloat162float(bfloat_of(bits)); }
unsigned short float_to_bfloat(float x) { return __bfloat16_as_ushort(__float2bfloat16(x)); }
unsigned short double_to_bfloat(double x) { return __bfloat16_as_ushort(__double2bfloat16(x)); }

unsigned short half_operation(int which, unsigned short x, unsigned short y) {
    const __half a = half_of(x), b = half_of(y);
    const __half out = which == 0 ? a + b : which == 1 ? a - b : which == 2 ? a * b : which == 3 ? a / b : which == 4 ? __hmax(a, b) : which == 5 ? __hmin(a, b) : hsqrt(a);
    return __half_as_ushort(out);
}
unsigned short bfloat_operation(int which, unsigned short x, unsigned short y) {
    const __nv_bfloat16 a = bfloat_of(x), b = bfloat_of(y);
    const __nv_bfloat16 out = which == 0 ? a + b : which == 1 ? a - b : which == 2 ? a * b : which == 3 ? a / b : which == 4 ? __hmax(a, b) : which == 5 ? __hmin(a, b) : hsqrt(a);
    return __bfloat16_as_ushort(out);
}
unsigned short half_fma(unsigned short a, unsigned short b, unsigned short c) { return __half_as_ushort(__hfma(half_of(a), half_of(b), half_of(c))); }
unsigned short bfloat_fma(unsigned short a, unsigned short b, unsigned short c) { return __bfloat16_as_ushort(__hfma(bfloat_of(a), bfloat_of(b), bfloat_of(c))); }

bool half_comparison(int which, unsigned short x, unsigned short y) {
    const __half a = half_of(x), b = half_of(y);
    switch (which) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    case 6: return __heq(a, b);
    case 7: return __hne(a, b);
    default: return __hltu(a, b);
    }
}

bool pairs_agree(unsigned short x, unsigned short y, unsigned short z) {
    const __half a = half_of(x), b = half_of(y), c = half_of(z);
    const __half2 ab = __halves2half2(a, b), bc = make_half2(b, c), ca = {c, a};
    const __half2 sum = ab + bc, fused = __hfma2(ab, bc, ca);
    __half grown = a;
    grown *= b;
    const auto same = [](__half p, __half q) { return __half_as_ushort(p) == __half_as_ushort(q); };
    return same(__low2half(sum), a + b) && same(__high2half(sum), b + c) && same(fused.x, __hfma(a, b, c)) && same(fused.y, __hfma(b, c, a)) && same(grown, __hmul(a, b)) &&
           same(__low2half(__lowhigh2highlow(ab)), b) && same(__hlt2(ab, bc).x, __float2half(a < b)) && __hbeq2(ab, bc) == (a == b && b == c) && same(-a, __hneg(a));
}

int float_to_int(float x, int rounding) { return rounding == 0 ? __float2int_rn(x) : rounding == 1 ? __float2int_rz(x) : rounding == 2 ? __float2int_ru(x) : __float2int_rd(x); }
unsigned float_to_unsigned(float x, int rounding) { return rounding == 0 ? __float2uint_rn(x) : __float2uint_rz(x); }
long long double_to_long(double x, int rounding) { return rounding == 0 ? __double2ll_rn(x) : __double2ll_rz(x); }
float int_to_float(int x, int rounding) { return rounding == 0 ? __int2float_rn(x) : rounding == 1 ? __int2float_rz(x) : rounding == 2 ? __int2float_ru(x) : __int2float_rd(x); }
float long_to_float(long long x, int rounding) { return rounding == 0 ? __ll2float_rn(x) : rounding == 1 ? __ll2float_rz(x) : rounding == 2 ? __ll2float_ru(x) : __ll2float_rd(x); }
float double_to_float(double x, int rounding) { return rounding == 0 ? __double2float_rn(x) : rounding == 1 ? __double2float_rz(x) : rounding == 2 ? __double2float_ru(x) : __double2float_rd(x); }

int integer_words(Words (&to)[most_words]) {
    const Words words[] = {
        {"popc", __popc(0xf0f0u), 8},
        {"popcll", __popcll(~0ull), 64},
        {"clz of 0", __clz(0), 32},
        {"clz of 1", __clz(1), 31},
        {"clzll of 1", __clzll(1), 63},
        {"ffs of 0", __ffs(0), 0},
        {"ffs of 8", __ffs(8), 4},
        {"brev", __brev(1u), 0x80000000ll},
        {"brevll", static_cast<long long>(__brevll(2)), 1ll << 62},
        {"byte_perm", __byte_perm(0x33221100u, 0x77665544u, 0x7531), 0x77553311},
        {"funnelshift_l", __funnelshift_l(0x80000000u, 1, 1), 3},
        {"funnelshift_r", __funnelshift_r(2, 1, 1), 0x80000001ll},
        {"funnelshift_lc of 40", __funnelshift_lc(5, 9, 40), 5},
        {"mulhi", __mulhi(-2, 1 << 30), -1},
        {"umulhi", __umulhi(0x80000000u, 6), 3},
        {"mul64hi", __mul64hi(-1, 1), -1},
        {"mul24", __mul24(0x7f000003, 5), 15},
        {"mul24 of a negative", __mul24(0xffffff, 5), -5},
        {"umul24", __umul24(0xff000003u, 5), 15},
        {"sad", __sad(-3, 4, 2), 9},
        {"hadd", __hadd(3, 6), 4},
        {"rhadd", __rhadd(3, 6), 5},
        {"dp4a", __dp4a(0x01ff02fe, 0x02020202, 10), 10 + 2 * (1 - 1 + 2 - 2)},
        {"dp4a of bytes without sign", __dp4a(0x01ff02feu, 0x02020202u, 10u), 10 + 2 * (1 + 255 + 2 + 254)},
        {"dp4a of char4", __dp4a(char4{1, -2, 3, -4}, char4{1, 1, 2, 2}, 0), -3},
        {"float_as_int", __float_as_int(-0.0f), -2147483648ll},
        {"saturate of NaN", static_cast<long long>(__saturatef(__int_as_float(0x7fffffff))), 0},
        {"min of int and unsigned", min(-1, 5u), 5},
        {"max of int and unsigned", max(-1, 5u), 0xffffffffll},
        {"min of a NaN", static_cast<long long>(min(__int_as_float(0x7fffffff), 3.0f)), 3},
        {"sinpi of 1", static_cast<long long>(sinpif(1.0f) * 1e6f), 0},
        {"cospi of a half", static_cast<long long>(cospif(2.5f) * 1e6f), 0},
        {"rsqrt", static_cast<long long>(rsqrtf(0.0625f)), 4},
        {"a float's exp", sizeof(exp(1.0f)), 4},
        {"an int's sqrt", sizeof(sqrt(2)), 8},
        {"float3", sizeof(float3) * 100 + alignof(float3), 1204},
        {"float2", sizeof(float2) * 100 + alignof(float2), 808},
        {"float4", sizeof(float4) * 100 + alignof(float4), 1616},
        {"char4", sizeof(char4) * 100 + alignof(char4), 404},
        {"uchar2", sizeof(uchar2) * 100 + alignof(uchar2), 202},
        {"short4", sizeof(short4) * 100 + alignof(short4), 808},
        {"short3", sizeof(short3) * 100 + alignof(short3), 602},
        {"uint4", sizeof(uint4) * 100 + alignof(uint4), 1616},
        {"double2", sizeof(double2) * 100 + alignof(double2), 1616},
        {"double4", sizeof(double4) * 100 + alignof(double4), 3216},
        {"longlong2", sizeof(longlong2) * 100 + alignof(longlong2), 1616},
        {"half", sizeof(__half) * 100 + alignof(__half), 202},
        {"half2", sizeof(__half2) * 100 + alignof(__half2), 404},
        {"bfloat162", sizeof(__nv_bfloat162) * 100 + alignof(__nv_bfloat162), 404},
        {"dim3", dim3(4, 5).x * 100 + dim3(4, 5).y * 10 + dim3(4, 5).z, 451},
    };
    int count = 0;
    for (const Words& word : words) to[count++] = word;
    return count;
}

} // namespace gradus::shim_test
