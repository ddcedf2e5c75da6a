#pragma once
#pragma GCC system_header

// Atomic read-modify-writes. Whoever runs the kernel is told first; the operation itself is truly atomic, since blocks may run on
// several threads. All return the old value. The _block and _system variants differ in nothing but their name.

#include "simt_base.h"

#define SIMT_ATOMIC_OP(name, expression)                                                                                                 \
    struct name {                                                                                                                        \
        template <class T>                                                                                                               \
        SIMT_QUIET static T of(T a, T b) {                                                                                               \
            return static_cast<T>(expression);                                                                                           \
        }                                                                                                                                \
    };
SIMT_ATOMIC_OP(SimtAtomicExchange, b)
SIMT_ATOMIC_OP(SimtAtomicMin, a < b ? a : b)
SIMT_ATOMIC_OP(SimtAtomicMax, a > b ? a : b)
SIMT_ATOMIC_OP(SimtAtomicInc, a >= b ? 0 : a + 1)
SIMT_ATOMIC_OP(SimtAtomicDec, a == 0 || a > b ? b : a - 1)
SIMT_ATOMIC_OP(SimtAtomicAnd, a & b)
SIMT_ATOMIC_OP(SimtAtomicOr, a | b)
SIMT_ATOMIC_OP(SimtAtomicXor, a ^ b)
#undef SIMT_ATOMIC_OP

/// Integers wrap around, signed ones too.
#define SIMT_ATOMIC_SUM(name, sign)                                                                                                      \
    struct name {                                                                                                                        \
        template <class T>                                                                                                               \
        SIMT_QUIET static T of(T a, T b) {                                                                                               \
            if constexpr (SimtInteger<T>) return static_cast<T>(static_cast<uint64_t>(a) sign static_cast<uint64_t>(b));                 \
            else return a sign b;                                                                                                        \
        }                                                                                                                                \
    };
SIMT_ATOMIC_SUM(SimtAtomicAdd, +)
SIMT_ATOMIC_SUM(SimtAtomicSub, -)
#undef SIMT_ATOMIC_SUM

template <class Op, class T>
SIMT_QUIET T simt_atomic(T* address, T operand, const char* name) {
    simt_runtime->atomic(address, sizeof(T), name);
    T old, next;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do next = Op::of(old, operand);
    while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}

template <class T>
SIMT_QUIET T simt_atomic_cas(T* address, T expected, T desired, const char* name) {
    simt_runtime->atomic(address, sizeof(T), name);
    __atomic_compare_exchange(address, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}

#define SIMT_ATOMIC_SCOPE(name, Op, type)                                                                                                \
    SIMT_QUIET type name(type* address, type operand) { return simt_atomic<Op>(address, operand, #name); }
#define SIMT_ATOMIC(name, Op, type)                                                                                                      \
    SIMT_ATOMIC_SCOPE(name, Op, type)                                                                                                    \
    SIMT_ATOMIC_SCOPE(name##_block, Op, type)                                                                                            \
    SIMT_ATOMIC_SCOPE(name##_system, Op, type)

SIMT_ATOMIC(atomicAdd, SimtAtomicAdd, int)
SIMT_ATOMIC(atomicAdd, SimtAtomicAdd, unsigned)
SIMT_ATOMIC(atomicAdd, SimtAtomicAdd, unsigned long long)
SIMT_ATOMIC(atomicAdd, SimtAtomicAdd, float)
SIMT_ATOMIC(atomicAdd, SimtAtomicAdd, double)
SIMT_ATOMIC(atomicSub, SimtAtomicSub, int)
SIMT_ATOMIC(atomicSub, SimtAtomicSub, unsigned)
SIMT_ATOMIC(atomicExch, SimtAtomicExchange, int)
SIMT_ATOMIC(atomicExch, SimtAtomicExchange, unsigned)
SIMT_ATOMIC(atomicExch, SimtAtomicExchange, unsigned long long)
SIMT_ATOMIC(atomicExch, SimtAtomicExchange, float)
SIMT_ATOMIC(atomicInc, SimtAtomicInc, unsigned)
SIMT_ATOMIC(atomicDec, SimtAtomicDec, unsigned)

#define SIMT_ATOMIC_WIDE(name, Op)                                                                                                       \
    SIMT_ATOMIC(name, Op, int)                                                                                                           \
    SIMT_ATOMIC(name, Op, unsigned)                                                                                                      \
    SIMT_ATOMIC(name, Op, unsigned long long)
SIMT_ATOMIC_WIDE(atomicMin, SimtAtomicMin)
SIMT_ATOMIC_WIDE(atomicMax, SimtAtomicMax)
SIMT_ATOMIC(atomicMin, SimtAtomicMin, long long)
SIMT_ATOMIC(atomicMax, SimtAtomicMax, long long)
SIMT_ATOMIC_WIDE(atomicAnd, SimtAtomicAnd)
SIMT_ATOMIC_WIDE(atomicOr, SimtAtomicOr)
SIMT_ATOMIC_WIDE(atomicXor, SimtAtomicXor)

#define SIMT_ATOMIC_CAS(name, type)                                                                                                      \
    SIMT_QUIET type name(type* address, type expected, type desired) { return simt_atomic_cas(address, expected, desired, #name); }
#define SIMT_ATOMIC_CASES(type)                                                                                                          \
    SIMT_ATOMIC_CAS(atomicCAS, type)                                                                                                     \
    SIMT_ATOMIC_CAS(atomicCAS_block, type)                                                                                               \
    SIMT_ATOMIC_CAS(atomicCAS_system, type)
SIMT_ATOMIC_CASES(int)
SIMT_ATOMIC_CASES(unsigned)
SIMT_ATOMIC_CASES(unsigned long long)
SIMT_ATOMIC_CASES(unsigned short)

#undef SIMT_ATOMIC_CASES
#undef SIMT_ATOMIC_CAS
#undef SIMT_ATOMIC_WIDE
#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_SCOPE
