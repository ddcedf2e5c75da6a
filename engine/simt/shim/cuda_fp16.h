#pragma once
#pragma GCC system_header

// __half and __half2: IEEE 754's 16-bit format, stored as CUDA's.

#include "cuda_runtime.h"
#include "simt_narrow.h"

#define SIMT_N __half
#define SIMT_P __half2
#define SIMT_S half
#define SIMT_SP half2
#define SIMT_FORMAT SimtHalf
#define SIMT_TO_FLOAT simt_half_to_float
#include "simt_narrow.inc"

template <>
inline constexpr uint32_t simt_kind<__half> = 3;

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
