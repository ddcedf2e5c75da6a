#pragma once
#pragma GCC system_header

// The C library's headers, and then names that a kernel means in CUDA's sense: multiply-adds are counted, printf goes to whoever runs the
// kernel, and the rest the C library has only in newer versions, or in another form.
// libstdc++'s <math.h> and <stdlib.h> would bring std::exp(float) and the like into the global namespace. Those are real calls at -O0
// with hooks in them; simt_math.h has its own. So the two headers count as read.

#define _GLIBCXX_MATH_H 1
#define _GLIBCXX_STDLIB_H 1

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#define fma simt_fma
#define fmaf simt_fmaf
#define printf simt_printf
#define clock simt_clock
#define sincos simt_sincos
#define sincosf simt_sincosf
#define rsqrt simt_rsqrt
#define rsqrtf simt_rsqrtf
#define sinpi simt_sinpi
#define sinpif simt_sinpif
#define cospi simt_cospi
#define cospif simt_cospif
