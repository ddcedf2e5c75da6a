#pragma once
#pragma GCC system_header

// CUDA's qualifiers.

#include "simt_base.h"

#define __global__ __attribute__((visibility("default")))
#define __host__

// In the build with hooks a device function is always inlined, since GCC marks no struct that goes into or comes out of a call. Two
// kinds cannot be: a function that calls itself, and one called through a pointer. For the latter GCC makes a copy to point to. The
// former is written `__noinline__ __device__`, in this order, or the file is compiled with -DSIMT_DEVICE_CALLS, by which all device
// functions are real calls; structs that they take or return by value are not marked then.
#if defined(SIMT_HOOKS) && !defined(SIMT_DEVICE_CALLS)
#define __device__ __attribute__((always_inline)) SIMT_HIDDEN
#else
#define __device__ SIMT_HIDDEN
#endif

// One block runs at a time on a thread, so that its shared memory is the thread's. `extern __shared__` works alike. It is never
// initialised, and that is said, since GCC would else look for arrays of __half each time whether their constructor has run.
#define __shared__ constinit thread_local
#define __constant__
#define __managed__
#define __grid_constant__

#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __builtin_assume(condition) static_cast<void>(0)
#define __nv_pure__ __attribute__((pure))
