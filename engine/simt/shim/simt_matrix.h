#pragma once
#pragma GCC system_header

// What wmma's fragments are filled and multiplied with.

#include "simt_warp.h"

/// So many bytes of whatever type.
template <size_t bytes>
struct SimtAliasedOf {
    typedef typename SimtBitsOf<bytes>::type type __attribute__((may_alias));
};
template <size_t bytes>
using SimtAliased = typename SimtAliasedOf<bytes>::type;

/// Fragments lie in registers: putting something there is no access to memory.
template <class Word>
SIMT_QUIET void simt_put(void* to, uint64_t bits) {
    *static_cast<Word*>(to) = static_cast<Word>(bits);
}
template <class Word>
SIMT_QUIET Word simt_get(const void* from) {
    return *static_cast<const Word*>(from);
}
template <int elements, class Word>
SIMT_QUIET void simt_fill(void* to, uint64_t bits) {
    for (int i = 0; i < elements; ++i) static_cast<Word*>(to)[i] = static_cast<Word>(bits);
}

/// All 32 lanes meet; nothing else happens.
SIMT_QUIET void simt_whole_warp(const char* name) { simt_runtime->meet(0xffffffffu, nullptr, nullptr, 0, name); }

SIMT_QUIET int simt_sum_of_integers(int64_t sum, bool saturated) {
    if (saturated && sum > INT_MAX) return INT_MAX;
    if (saturated && sum < INT_MIN) return INT_MIN;
    return static_cast<int>(sum);
}

/// sums (m, n) += a (m, k) · b (k, n). Each element adds its products in the order of k.
template <class Sum, class T>
__attribute__((optimize("O2"))) SIMT_QUIET void simt_product(Sum* sums, const T* a, const T* b, int m, int n, int k) {
    for (int i = 0; i < m; ++i)
        for (int l = 0; l < k; ++l)
            for (int j = 0; j < n; ++j) sums[i * n + j] += a[i * k + l] * b[l * n + j];
}
