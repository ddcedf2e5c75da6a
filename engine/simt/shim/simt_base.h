#pragma once
#pragma GCC system_header

// What the shim is made of: how its functions treat the compiler's hooks, and the way to whoever runs the kernel.
//
// In the build with hooks GCC marks every memory access with a call. Two kinds of function, then:
//   SIMT_QUIET  the shim's own work. Not marked, and a real call, so that nothing of it lands in the kernel.
//   SIMT_INNER  inlined into those, for which alone it is: the fewer calls a lane has to return from when it goes on, the better.
//   SIMT_SEEN   inlined even at -O0: an access in it is the kernel's own and is marked in the kernel.
// GCC marks neither a struct that is passed by value nor one that a call returns. So what takes or returns a struct is SIMT_SEEN, and
// hands scalars on. It also marks a local variable of which the address is taken; a SIMT_SEEN function therefore has none, and returns
// structs by braces or __builtin_bit_cast. Left over: constructors, conversions and copies of a kernel's own local structs, which take
// their address. Those marks are on the lane's stack.

#if defined(__SANITIZE_THREAD__) && !defined(SIMT_HOOKS)
#define SIMT_HOOKS 1
#endif

#define SIMT_HIDDEN __attribute__((visibility("hidden")))
#define SIMT_SEEN __attribute__((always_inline)) SIMT_HIDDEN inline
#ifdef SIMT_HOOKS
#define SIMT_UNMARKED __attribute__((no_sanitize("thread", "bounds"), no_sanitize_coverage))
// Optimised, unlike the kernel: nobody looks into them, and a frame that is walked up must be there all the same, from the first
// instructions on (a frame that GCC puts off is taken for the caller's by the clock, hooked_time.cpp).
#define SIMT_OPTIMISED                                                                                                                   \
    SIMT_UNMARKED __attribute__((optimize("O2", "no-omit-frame-pointer", "no-shrink-wrap", "no-schedule-insns2",                         \
                                          "no-optimize-sibling-calls", "no-strict-aliasing"))) SIMT_HIDDEN inline
#define SIMT_INNER __attribute__((always_inline)) SIMT_OPTIMISED
#define SIMT_QUIET __attribute__((noinline)) SIMT_OPTIMISED
#else
#define SIMT_UNMARKED
#define SIMT_INNER SIMT_HIDDEN inline
#define SIMT_QUIET SIMT_HIDDEN inline
#endif

#include "simt_libc.h"

#include "engine/simt/simt.h"

/// Set by the host before the first launch; defined in the unit with the kernels' entries.
extern "C" SIMT_HIDDEN const SimtRuntime* simt_runtime;
#ifdef SIMT_HOOKS
extern "C" SIMT_HIDDEN SimtHooked simt_hooked;
#endif

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <type_traits>

// Kernels are full of attributes and pragmas that mean something to another compiler only.
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

template <class T>
concept SimtInteger = std::is_integral_v<T>;
template <class T>
concept SimtNumber = std::is_arithmetic_v<T>;

/// The unsigned integer of so many bytes.
template <size_t bytes>
struct SimtBitsOf;
template <>
struct SimtBitsOf<1> {
    using type = uint8_t;
};
template <>
struct SimtBitsOf<2> {
    using type = uint16_t;
};
template <>
struct SimtBitsOf<4> {
    using type = uint32_t;
};
template <>
struct SimtBitsOf<8> {
    using type = uint64_t;
};

/// A variable's bits. A macro, since a struct that is handed on has its address taken for the copy.
#define SIMT_BITS(variable) static_cast<uint64_t>(__builtin_bit_cast(typename SimtBitsOf<sizeof(variable)>::type, variable))
template <class T>
SIMT_SEEN T simt_of_bits(uint64_t bits) {
    return __builtin_bit_cast(T, static_cast<typename SimtBitsOf<sizeof(T)>::type>(bits));
}
