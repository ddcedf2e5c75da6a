#pragma once
#pragma GCC system_header

// __nv_bfloat16 and __nv_bfloat162: the upper half of a float, stored as CUDA's.

#include "cuda_runtime.h"
#include "simt_narrow.h"

#define SIMT_N __nv_bfloat16
#define SIMT_P __nv_bfloat162
#define SIMT_S bfloat16
#define SIMT_SP bfloat162
#define SIMT_FORMAT SimtBfloat
#define SIMT_TO_FLOAT simt_bfloat_to_float
#include "simt_narrow.inc"

template <>
inline constexpr uint32_t simt_kind<__nv_bfloat16> = 4;

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
