#pragma once
#pragma GCC system_header

// What the threads of a block do together, and what a thread asks of whoever runs it: fences, traps, messages, the clock.

#include "simt_place.h"

SIMT_QUIET void __syncthreads() { simt_runtime->barrier(nullptr, nullptr); }

struct SimtBarrierWord {
    int yes;
    int lanes, count; ///< results: lanes at the barrier, and those of them that say yes
};

SIMT_QUIET void simt_barrier_together(void* const* mine, uint32_t lanes) {
    int here = 0, count = 0;
    for (uint32_t i = 0; i < lanes; ++i)
        if (mine[i]) ++here, count += static_cast<SimtBarrierWord*>(mine[i])->yes;
    for (uint32_t i = 0; i < lanes; ++i)
        if (mine[i]) static_cast<SimtBarrierWord*>(mine[i])->lanes = here, static_cast<SimtBarrierWord*>(mine[i])->count = count;
}

SIMT_QUIET int __syncthreads_count(int predicate) {
    SimtBarrierWord mine = {predicate != 0, 0, 0};
    simt_runtime->barrier(simt_barrier_together, &mine);
    return mine.count;
}
SIMT_QUIET int __syncthreads_or(int predicate) {
    SimtBarrierWord mine = {predicate != 0, 0, 0};
    simt_runtime->barrier(simt_barrier_together, &mine);
    return mine.count != 0;
}
SIMT_QUIET int __syncthreads_and(int predicate) {
    SimtBarrierWord mine = {predicate != 0, 0, 0};
    simt_runtime->barrier(simt_barrier_together, &mine);
    return mine.count == mine.lanes;
}

SIMT_QUIET void __threadfence_block() { simt_runtime->fence(0); }
SIMT_QUIET void __threadfence() { simt_runtime->fence(1); }
SIMT_QUIET void __threadfence_system() { simt_runtime->fence(2); }

SIMT_QUIET void simt_trap(const char* why) { simt_runtime->trap(why); }
SIMT_QUIET void __trap() { simt_runtime->trap("__trap"); }
SIMT_QUIET void __brkpt() {}

/// A hint, which changes nothing.
SIMT_QUIET void __nanosleep(unsigned) {}

/// Goes up by one with each call: time passes, but says nothing of speed.
inline unsigned long long simt_ticks SIMT_HIDDEN = 0;
SIMT_QUIET long long clock64() { return static_cast<long long>(__atomic_add_fetch(&simt_ticks, 1, __ATOMIC_RELAXED)); }
SIMT_QUIET clock_t clock() { return static_cast<clock_t>(clock64()); }

/// A value as printf's words are handed over: a double's bits, an integer's, a pointer's.
template <class T>
SIMT_QUIET uint64_t simt_print_word(T value) {
    if constexpr (std::is_floating_point_v<T>) return __builtin_bit_cast(uint64_t, static_cast<double>(value));
    else if constexpr (std::is_pointer_v<T>) return reinterpret_cast<uint64_t>(value);
    else return static_cast<uint64_t>(value);
}

template <class... T>
SIMT_QUIET int printf(const char* format, T... values) {
    const uint64_t words[sizeof...(values) + 1] = {simt_print_word(values)...};
    return simt_runtime->print(format, words, sizeof...(values));
}

namespace std {
using ::clock;
using ::printf;
} // namespace std
