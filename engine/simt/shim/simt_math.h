#pragma once
#pragma GCC system_header

// CUDA's mathematics. Names with an f, expf and so on, are the C library's; here are multiply-adds, which are counted, overloads for
// float, and what C does not have.
//
// Modelled by the accurate function, where a GPU has a fast one that is off by a few units in the last place: __expf, __exp10f,
// __logf, __log2f, __log10f, __powf, __sinf, __cosf, __tanf, __sincosf, __tanhf, __fdividef (a division, rounded to the nearest).
// rsqrtf, rcbrtf, sinpif, cospif and normcdff are computed in double precision and rounded once.

#include "simt_base.h"

// Where the processor has it this is one instruction, which at -O0 without leave to use it is a call of the C library.
#ifdef SIMT_HAS_FMA
#define SIMT_WITH_FMA __attribute__((target("fma")))
#else
#define SIMT_WITH_FMA
#endif

/// a b + c, rounded once.
SIMT_WITH_FMA SIMT_QUIET float fmaf(float a, float b, float c) {
    const float result = __builtin_fmaf(a, b, c);
#ifdef SIMT_HOOKS
    ++simt_hooked.multiply_adds;
    if (simt_hooked.tells_multiply_adds) simt_runtime->fma(a, b, c, result);
#endif
    return result;
}
SIMT_QUIET double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
SIMT_SEEN float fma(float a, float b, float c) { return fmaf(a, b, c); }
template <SimtNumber A, SimtNumber B, SimtNumber C>
SIMT_SEEN double fma(A a, B b, C c) {
    return fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
}
SIMT_SEEN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_SEEN float __fmaf_ieee_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_SEEN double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

namespace std {
using ::fma;
using ::fmaf;
} // namespace std

// Overloads: of a float the float's function, of an integer the double's.
#define SIMT_UNARY(name)                                                                                                                 \
    SIMT_SEEN float name(float x) { return name##f(x); }                                                                                 \
    template <SimtInteger T>                                                                                                             \
    SIMT_SEEN double name(T x) {                                                                                                         \
        return name(static_cast<double>(x));                                                                                             \
    }
SIMT_UNARY(exp)
SIMT_UNARY(exp2)
SIMT_UNARY(exp10)
SIMT_UNARY(expm1)
SIMT_UNARY(log)
SIMT_UNARY(log2)
SIMT_UNARY(log10)
SIMT_UNARY(log1p)
SIMT_UNARY(logb)
SIMT_UNARY(sqrt)
SIMT_UNARY(cbrt)
SIMT_UNARY(sin)
SIMT_UNARY(cos)
SIMT_UNARY(tan)
SIMT_UNARY(asin)
SIMT_UNARY(acos)
SIMT_UNARY(atan)
SIMT_UNARY(sinh)
SIMT_UNARY(cosh)
SIMT_UNARY(tanh)
SIMT_UNARY(asinh)
SIMT_UNARY(acosh)
SIMT_UNARY(atanh)
SIMT_UNARY(erf)
SIMT_UNARY(erfc)
SIMT_UNARY(tgamma)
SIMT_UNARY(lgamma)
SIMT_UNARY(ceil)
SIMT_UNARY(floor)
SIMT_UNARY(trunc)
SIMT_UNARY(round)
SIMT_UNARY(rint)
SIMT_UNARY(nearbyint)
SIMT_UNARY(fabs)
#undef SIMT_UNARY

#define SIMT_BINARY(name)                                                                                                                \
    SIMT_SEEN float name(float x, float y) { return name##f(x, y); }                                                                     \
    template <SimtNumber A, SimtNumber B>                                                                                                \
    SIMT_SEEN double name(A x, B y) {                                                                                                    \
        return name(static_cast<double>(x), static_cast<double>(y));                                                                     \
    }
SIMT_BINARY(pow)
SIMT_BINARY(fmod)
SIMT_BINARY(remainder)
SIMT_BINARY(atan2)
SIMT_BINARY(hypot)
SIMT_BINARY(fmax)
SIMT_BINARY(fmin)
SIMT_BINARY(fdim)
SIMT_BINARY(copysign)
SIMT_BINARY(nextafter)
#undef SIMT_BINARY

#define SIMT_CLASSIFY(name, builtin)                                                                                                     \
    SIMT_SEEN bool name(float x) { return builtin(x) != 0; }                                                                             \
    SIMT_SEEN bool name(double x) { return builtin(x) != 0; }
SIMT_CLASSIFY(isnan, __builtin_isnan)
SIMT_CLASSIFY(isinf, __builtin_isinf)
SIMT_CLASSIFY(isfinite, __builtin_isfinite)
SIMT_CLASSIFY(isnormal, __builtin_isnormal)
SIMT_CLASSIFY(signbit, __builtin_signbit)
#undef SIMT_CLASSIFY

SIMT_SEEN float abs(float x) { return __builtin_fabsf(x); }
SIMT_SEEN double abs(double x) { return __builtin_fabs(x); }
SIMT_SEEN long abs(long x) { return __builtin_labs(x); }
SIMT_SEEN long long abs(long long x) { return __builtin_llabs(x); }

// Of two integers the common type's; of floating-point numbers the one that is a number.
#define SIMT_MIN_MAX(A, B, C)                                                                                                            \
    SIMT_QUIET C min(A a, B b) { return static_cast<C>(a) < static_cast<C>(b) ? static_cast<C>(a) : static_cast<C>(b); }                 \
    SIMT_QUIET C max(A a, B b) { return static_cast<C>(a) > static_cast<C>(b) ? static_cast<C>(a) : static_cast<C>(b); }
#define SIMT_MIN_MAX_INTEGERS(S, U)                                                                                                      \
    SIMT_MIN_MAX(S, S, S)                                                                                                                \
    SIMT_MIN_MAX(U, U, U)                                                                                                                \
    SIMT_MIN_MAX(S, U, U)                                                                                                                \
    SIMT_MIN_MAX(U, S, U)
SIMT_MIN_MAX_INTEGERS(int, unsigned)
SIMT_MIN_MAX_INTEGERS(long, unsigned long)
SIMT_MIN_MAX_INTEGERS(long long, unsigned long long)
#undef SIMT_MIN_MAX_INTEGERS
#undef SIMT_MIN_MAX
SIMT_SEEN float min(float a, float b) { return fminf(a, b); }
SIMT_SEEN float max(float a, float b) { return fmaxf(a, b); }
SIMT_SEEN double min(double a, double b) { return ::fmin(a, b); }
SIMT_SEEN double max(double a, double b) { return ::fmax(a, b); }
SIMT_SEEN double min(float a, double b) { return ::fmin(static_cast<double>(a), b); }
SIMT_SEEN double max(float a, double b) { return ::fmax(static_cast<double>(a), b); }
SIMT_SEEN double min(double a, float b) { return ::fmin(a, static_cast<double>(b)); }
SIMT_SEEN double max(double a, float b) { return ::fmax(a, static_cast<double>(b)); }

SIMT_QUIET double rsqrt(double x) { return 1 / __builtin_sqrt(x); }
SIMT_QUIET float rsqrtf(float x) { return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x))); }
SIMT_SEEN float rsqrt(float x) { return rsqrtf(x); }
SIMT_QUIET double rcbrt(double x) { return 1 / __builtin_cbrt(x); }
SIMT_QUIET float rcbrtf(float x) { return static_cast<float>(1 / __builtin_cbrt(static_cast<double>(x))); }
SIMT_QUIET float rhypotf(float x, float y) { return static_cast<float>(1 / __builtin_hypot(static_cast<double>(x), static_cast<double>(y))); }
SIMT_QUIET float norm3df(float x, float y, float z) {
    return static_cast<float>(__builtin_sqrt(static_cast<double>(x) * x + static_cast<double>(y) * y + static_cast<double>(z) * z));
}
SIMT_QUIET float norm4df(float x, float y, float z, float w) {
    return static_cast<float>(
        __builtin_sqrt(static_cast<double>(x) * x + static_cast<double>(y) * y + static_cast<double>(z) * z + static_cast<double>(w) * w));
}

/// The remainder of a whole turn is exact, so that multiples of a half come out exact.
SIMT_QUIET double sinpi(double x) {
    const double r = __builtin_remainder(x, 2);
    return __builtin_fabs(r) == 1 ? r * 0 : __builtin_sin(3.14159265358979323846 * r);
}
SIMT_QUIET double cospi(double x) {
    const double r = __builtin_fabs(__builtin_remainder(x, 2));
    return r == 0.5 ? 0 : __builtin_cos(3.14159265358979323846 * r);
}
SIMT_QUIET float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
SIMT_QUIET float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
SIMT_QUIET double normcdf(double x) { return __builtin_erfc(x * -0.70710678118654752440) / 2; }
SIMT_QUIET float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }

SIMT_SEEN void sincosf(float x, float* sine, float* cosine) { *sine = sinf(x), *cosine = cosf(x); }
SIMT_SEEN void sincos(double x, double* sine, double* cosine) { *sine = sin(x), *cosine = cos(x); }
SIMT_SEEN void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
SIMT_SEEN void sincospif(float x, float* sine, float* cosine) { *sine = sinpif(x), *cosine = cospif(x); }

SIMT_SEEN float __expf(float x) { return expf(x); }
SIMT_SEEN float __exp10f(float x) { return exp10f(x); }
SIMT_SEEN float __logf(float x) { return logf(x); }
SIMT_SEEN float __log2f(float x) { return log2f(x); }
SIMT_SEEN float __log10f(float x) { return log10f(x); }
SIMT_SEEN float __powf(float x, float y) { return powf(x, y); }
SIMT_SEEN float __sinf(float x) { return sinf(x); }
SIMT_SEEN float __cosf(float x) { return cosf(x); }
SIMT_SEEN float __tanf(float x) { return tanf(x); }
SIMT_SEEN float __tanhf(float x) { return tanhf(x); }
SIMT_SEEN void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
SIMT_SEEN float __fdividef(float x, float y) { return x / y; }
SIMT_SEEN float fdividef(float x, float y) { return x / y; }
/// Into [0, 1]; NaN becomes 0.
SIMT_QUIET float __saturatef(float x) { return x >= 1 ? 1.0f : x > 0 ? x : 0.0f; }

// Rounded to the nearest by name: the compiler joins none of them to a multiply-add.
SIMT_SEEN float __fadd_rn(float x, float y) { return x + y; }
SIMT_SEEN float __fsub_rn(float x, float y) { return x - y; }
SIMT_SEEN float __fmul_rn(float x, float y) { return x * y; }
SIMT_SEEN float __fdiv_rn(float x, float y) { return x / y; }
SIMT_SEEN float __frcp_rn(float x) { return 1 / x; }
SIMT_SEEN float __fsqrt_rn(float x) { return sqrtf(x); }
SIMT_SEEN float __frsqrt_rn(float x) { return rsqrtf(x); }
SIMT_SEEN double __dadd_rn(double x, double y) { return x + y; }
SIMT_SEEN double __dsub_rn(double x, double y) { return x - y; }
SIMT_SEEN double __dmul_rn(double x, double y) { return x * y; }
SIMT_SEEN double __ddiv_rn(double x, double y) { return x / y; }
SIMT_SEEN double __drcp_rn(double x) { return 1 / x; }
SIMT_SEEN double __dsqrt_rn(double x) { return ::sqrt(x); }
