#pragma once
#pragma GCC system_header

// make_float4 and its kin.

#include "vector_types.h"

#define SIMT_MAKE(name, element)                                                                                                         \
    SIMT_SEEN constexpr name##1 make_##name##1(element x) { return {x}; }                                                                \
    SIMT_SEEN constexpr name##2 make_##name##2(element x, element y) { return {x, y}; }                                                  \
    SIMT_SEEN constexpr name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; }                                    \
    SIMT_SEEN constexpr name##4 make_##name##4(element x, element y, element z, element w) { return {x, y, z, w}; }

SIMT_MAKE(char, signed char)
SIMT_MAKE(uchar, unsigned char)
SIMT_MAKE(short, short)
SIMT_MAKE(ushort, unsigned short)
SIMT_MAKE(int, int)
SIMT_MAKE(uint, unsigned)
SIMT_MAKE(long, long)
SIMT_MAKE(ulong, unsigned long)
SIMT_MAKE(longlong, long long)
SIMT_MAKE(ulonglong, unsigned long long)
SIMT_MAKE(float, float)
SIMT_MAKE(double, double)

#undef SIMT_MAKE
