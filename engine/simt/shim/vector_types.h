#pragma once
#pragma GCC system_header

// CUDA's vector types: plain structs, so that a copy is one access of 2 to 16 bytes, with CUDA's alignment. Those of three elements
// are aligned as one element is; those of four 8-byte elements to 16 bytes, and a copy of 32 bytes is one access of the compiler's.

#include "simt_base.h"

#define SIMT_VECTORS(name, element, align2, align4)                                                                                      \
    struct name##1 {                                                                                                                     \
        element x;                                                                                                                       \
    };                                                                                                                                   \
    struct alignas(align2) name##2 {                                                                                                     \
        element x, y;                                                                                                                    \
    };                                                                                                                                   \
    struct name##3 {                                                                                                                     \
        element x, y, z;                                                                                                                 \
    };                                                                                                                                   \
    struct alignas(align4) name##4 {                                                                                                     \
        element x, y, z, w;                                                                                                              \
    };

SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(uint, unsigned, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(ulong, unsigned long, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)

#undef SIMT_VECTORS

/// The sizes of a grid or a block; axes that are not named are 1.
struct dim3 {
    unsigned x, y, z;
    SIMT_SEEN constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    SIMT_SEEN constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
    SIMT_SEEN constexpr operator uint3() const { return {x, y, z}; }
};
