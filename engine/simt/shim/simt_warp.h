#pragma once
#pragma GCC system_header

// What the lanes of a warp do together. Each hands in a record; the last to come fills in the results of all.
//
// Shuffles, by the PTX ISA's "shfl.sync": `width` cuts the warp into segments. Up, down and xor leave a lane its own value where the
// source is outside (for xor: in a later segment). The source of __shfl_sync is taken modulo width. Of a distance the low five bits
// count. A source lane that does not take part, undefined on a GPU, gives a lane its own value.

#include "simt_place.h"

SIMT_QUIET void __syncwarp(unsigned mask = 0xffffffffu) { simt_runtime->meet(mask, nullptr, nullptr, SIMT_ORDERS, "__syncwarp"); }
SIMT_QUIET unsigned __activemask() { return simt_runtime->active(); }

/// For a wrapper of inline PTX: the lanes of `mask` meet, and the last one calls `together` for all. mine[l] is what lane l handed in.
SIMT_QUIET void simt_warp_meet(unsigned mask, void (*together)(void* const* mine, unsigned mask), void* mine) {
    simt_runtime->meet(mask, together, mine, 0, "simt_warp_meet");
}

/// The kinds of values, for whoever looks at what lanes hand to each other: engine/trace/kernel/value_kind.hpp numbers them.
template <class T>
inline constexpr uint32_t simt_kind = sizeof(T) <= 8 ? 15 : 0; // bits
template <>
inline constexpr uint32_t simt_kind<float> = 1;
template <>
inline constexpr uint32_t simt_kind<double> = 2;
template <SimtInteger T>
inline constexpr uint32_t simt_kind<T> =
    std::is_same_v<T, bool> ? 13 : (std::is_signed_v<T> ? 5 : 9) + (sizeof(T) == 8 ? 3 : sizeof(T) == 4 ? 2 : sizeof(T) == 2 ? 1 : 0);
inline constexpr uint32_t simt_kind_of_lanes = 16;

SIMT_QUIET void simt_shuffle_together(void* const* mine, uint32_t mask) {
    uint64_t handed[32];
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && mine[lane]) handed[lane] = static_cast<SimtHanded*>(mine[lane])->value;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1) || !mine[lane]) continue;
        const unsigned source = static_cast<SimtHanded*>(mine[lane])->source;
        if (mask >> source & 1 && mine[source]) static_cast<SimtHanded*>(mine[lane])->result = handed[source];
    }
}

SIMT_INNER uint64_t simt_shuffle(unsigned mask, uint64_t value, unsigned source, uint32_t kind, const char* name) {
    SimtHanded mine = {value, value, source};
    simt_runtime->meet(mask, simt_shuffle_together, &mine, SIMT_HANDS(kind, kind), name);
    return mine.result;
}

SIMT_INNER uint64_t simt_shuffle_index(unsigned mask, uint64_t value, int source, int width, uint32_t kind) {
    const unsigned within = static_cast<unsigned>(width) - 1;
    return simt_shuffle(mask, value, (simt_lane() & ~within & 31) | (static_cast<unsigned>(source) & within), kind, "__shfl_sync");
}
SIMT_INNER uint64_t simt_shuffle_up(unsigned mask, uint64_t value, unsigned delta, int width, uint32_t kind) {
    const unsigned lane = simt_lane(), first = lane & ~(static_cast<unsigned>(width) - 1);
    delta &= 31;
    return simt_shuffle(mask, value, lane >= first + delta ? lane - delta : lane, kind, "__shfl_up_sync");
}
SIMT_INNER uint64_t simt_shuffle_down(unsigned mask, uint64_t value, unsigned delta, int width, uint32_t kind) {
    const unsigned lane = simt_lane(), last = lane | (static_cast<unsigned>(width) - 1);
    delta &= 31;
    return simt_shuffle(mask, value, lane + delta <= last ? lane + delta : lane, kind, "__shfl_down_sync");
}
SIMT_INNER uint64_t simt_shuffle_xor(unsigned mask, uint64_t value, int with, int width, uint32_t kind) {
    const unsigned lane = simt_lane(), last = lane | (static_cast<unsigned>(width) - 1), source = lane ^ (static_cast<unsigned>(with) & 31);
    return simt_shuffle(mask, value, source <= last ? source : lane, kind, "__shfl_xor_sync");
}

/// Types with fewer bits than an int travel as int, as CUDA's overloads have it.
template <SimtNumber T>
using SimtShuffled = decltype(+T{});

#define SIMT_SHUFFLE(name, core, Distance)                                                                                               \
    /* for what is inlined into kernels */                                                                                               \
    SIMT_QUIET uint64_t core##_call(unsigned mask, uint64_t value, Distance distance, int width, uint32_t kind) {                        \
        return core(mask, value, distance, width, kind);                                                                                     \
    }                                                                                                                                    \
    template <SimtNumber T>                                                                                                              \
    SIMT_QUIET SimtShuffled<T> name(unsigned mask, T value, Distance distance, int width = warpSize) {                                   \
        const SimtShuffled<T> wide = value;                                                                                              \
        return simt_of_bits<SimtShuffled<T>>(core(mask, SIMT_BITS(wide), distance, width, simt_kind<SimtShuffled<T>>));                  \
    }                                                                                                                                    \
    template <class T>                                                                                                                   \
        requires std::is_class_v<T>                                                                                                      \
    SIMT_SEEN T name(unsigned mask, T value, Distance distance, int width = warpSize) {                                                  \
        return simt_of_bits<T>(core##_call(mask, SIMT_BITS(value), distance, width, simt_kind<T>));                                      \
    }
SIMT_SHUFFLE(__shfl_sync, simt_shuffle_index, int)
SIMT_SHUFFLE(__shfl_up_sync, simt_shuffle_up, unsigned)
SIMT_SHUFFLE(__shfl_down_sync, simt_shuffle_down, unsigned)
SIMT_SHUFFLE(__shfl_xor_sync, simt_shuffle_xor, int)
#undef SIMT_SHUFFLE

/// Which lanes hand in something other than 0.
SIMT_QUIET unsigned simt_yes(void* const* mine, uint32_t mask) {
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && mine[lane] && static_cast<SimtHanded*>(mine[lane])->value) lanes |= 1u << lane;
    return lanes;
}
/// Which lanes are there: those of the mask that have not returned.
SIMT_QUIET unsigned simt_here(void* const* mine, uint32_t mask) {
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && mine[lane]) lanes |= 1u << lane;
    return lanes;
}
SIMT_QUIET void simt_give_all(void* const* mine, uint32_t mask, uint64_t result) {
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && mine[lane]) static_cast<SimtHanded*>(mine[lane])->result = result;
}

SIMT_QUIET void simt_ballot_together(void* const* mine, uint32_t mask) { simt_give_all(mine, mask, simt_yes(mine, mask)); }
SIMT_QUIET void simt_any_together(void* const* mine, uint32_t mask) { simt_give_all(mine, mask, simt_yes(mine, mask) != 0); }
SIMT_QUIET void simt_all_together(void* const* mine, uint32_t mask) {
    simt_give_all(mine, mask, simt_yes(mine, mask) == simt_here(mine, mask));
}
SIMT_QUIET void simt_match_any_together(void* const* mine, uint32_t mask) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1) || !mine[lane]) continue;
        auto* word = static_cast<SimtHanded*>(mine[lane]);
        word->result = 0;
        for (unsigned other = 0; other < 32; ++other)
            if (mask >> other & 1 && mine[other] && static_cast<SimtHanded*>(mine[other])->value == word->value) word->result |= 1u << other;
    }
}
SIMT_QUIET void simt_match_all_together(void* const* mine, uint32_t mask) {
    simt_match_any_together(mine, mask);
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && mine[lane] && static_cast<SimtHanded*>(mine[lane])->result != simt_here(mine, mask))
            return simt_give_all(mine, mask, 0);
    simt_give_all(mine, mask, mask);
}
template <class Op>
SIMT_QUIET void simt_reduce_together(void* const* mine, uint32_t mask) {
    uint64_t sum = 0;
    bool first = true;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1) || !mine[lane]) continue;
        const uint64_t value = static_cast<SimtHanded*>(mine[lane])->value;
        sum = first ? value : Op::of(sum, value);
        first = false;
    }
    simt_give_all(mine, mask, sum);
}

SIMT_INNER uint64_t simt_meet(unsigned mask, SimtTogether together, uint64_t value, uint32_t how, const char* name) {
    SimtHanded mine = {value, 0, SIMT_NO_LANE};
    simt_runtime->meet(mask, together, &mine, how, name);
    return mine.result;
}

SIMT_QUIET unsigned __ballot_sync(unsigned mask, int predicate) {
    return static_cast<unsigned>(simt_meet(mask, simt_ballot_together, predicate != 0, SIMT_HANDS(simt_kind<bool>, simt_kind_of_lanes), "__ballot_sync"));
}
SIMT_QUIET int __any_sync(unsigned mask, int predicate) {
    return static_cast<int>(simt_meet(mask, simt_any_together, predicate != 0, SIMT_HANDS(simt_kind<bool>, simt_kind<bool>), "__any_sync"));
}
SIMT_QUIET int __all_sync(unsigned mask, int predicate) {
    return static_cast<int>(simt_meet(mask, simt_all_together, predicate != 0, SIMT_HANDS(simt_kind<bool>, simt_kind<bool>), "__all_sync"));
}

/// The lanes with the same value, bit for bit.
template <SimtNumber T>
SIMT_QUIET unsigned __match_any_sync(unsigned mask, T value) {
    return static_cast<unsigned>(simt_meet(mask, simt_match_any_together, SIMT_BITS(value), SIMT_HANDS(simt_kind<T>, simt_kind_of_lanes), "__match_any_sync"));
}
template <SimtNumber T>
SIMT_QUIET unsigned simt_match_all(unsigned mask, T value) {
    return static_cast<unsigned>(simt_meet(mask, simt_match_all_together, SIMT_BITS(value), SIMT_HANDS(simt_kind<T>, simt_kind_of_lanes), "__match_all_sync"));
}
/// The mask if all hand in the same value, else 0; the predicate says which.
template <SimtNumber T>
SIMT_SEEN unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
    const unsigned same = simt_match_all(mask, value);
    *predicate = same != 0;
    return same;
}

/// What integers are combined with.
template <class T>
struct SimtIntegerOp {
#define SIMT_OP(name, expression)                                                                                                        \
    struct name {                                                                                                                        \
        SIMT_QUIET static uint64_t of(uint64_t left, uint64_t right) {                                                                   \
            const T a = static_cast<T>(left), b = static_cast<T>(right);                                                                 \
            return static_cast<uint64_t>(static_cast<T>(expression));                                                                                \
        }                                                                                                                                \
    };
    SIMT_OP(add, static_cast<uint64_t>(a) + static_cast<uint64_t>(b))
    SIMT_OP(min, a < b ? a : b)
    SIMT_OP(max, a > b ? a : b)
    SIMT_OP(and_, a & b)
    SIMT_OP(or_, a | b)
    SIMT_OP(xor_, a ^ b)
#undef SIMT_OP
};

#define SIMT_REDUCE(name, op, type)                                                                                                      \
    SIMT_QUIET type name(unsigned mask, type value) {                                                                                    \
        return static_cast<type>(simt_meet(mask, simt_reduce_together<SimtIntegerOp<type>::op>, SIMT_BITS(value), SIMT_HANDS(simt_kind<type>, simt_kind<type>), #name));               \
    }
SIMT_REDUCE(__reduce_add_sync, add, unsigned)
SIMT_REDUCE(__reduce_add_sync, add, int)
SIMT_REDUCE(__reduce_min_sync, min, unsigned)
SIMT_REDUCE(__reduce_min_sync, min, int)
SIMT_REDUCE(__reduce_max_sync, max, unsigned)
SIMT_REDUCE(__reduce_max_sync, max, int)
SIMT_REDUCE(__reduce_and_sync, and_, unsigned)
SIMT_REDUCE(__reduce_or_sync, or_, unsigned)
SIMT_REDUCE(__reduce_xor_sync, xor_, unsigned)
#undef SIMT_REDUCE
