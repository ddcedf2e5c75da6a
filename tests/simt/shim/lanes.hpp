#pragma once

// What lanes.cpp and its like, which are compiled as kernels are, give to the test. Each function is a kernel: one lane's part.

#include <cstdint>

namespace gradus::shim_test {

extern const bool hooked;

struct Shuffle {
    int kind = 0; ///< 0 index, 1 up, 2 down, 3 xor
    unsigned mask = 0xffffffffu;
    int distance = 0, width = 32;
    bool outsiders = true; ///< lanes outside the mask do nothing
    int out[32] = {};
    double wide[32] = {};
    float halves[32] = {}, pairs[32] = {};
};
void shuffle(void*);

struct Votes {
    unsigned mask = 0xffffffffu, yes = 0;
    unsigned ballot[32] = {}, any_of[32] = {}, all_of[32] = {}, same_any[32] = {}, same_all[32] = {};
    unsigned sum[32] = {}, least[32] = {}, most[32] = {}, bits_and[32] = {}, bits_or[32] = {}, bits_xor[32] = {};
    int signed_least[32] = {};
};
void votes(void*);

struct Barriers {
    unsigned yes = 0; ///< threads whose rank is below
    int count[64] = {}, any_of[64] = {}, all_of[64] = {};
    int shared_sum[64] = {};
};
void barriers(void*);

struct Places {
    unsigned thread_x[64] = {}, thread_y[64] = {}, other[6] = {};
};
void places(void*);

struct Atomics {
    int i[8] = {};
    unsigned u[8] = {};
    unsigned long long l = 0;
    float f = 0;
    double d = 0;
    unsigned short half = 0, bfloat = 0;
    unsigned pair = 0;
    int old = 0;
};
void atomics(void*);

struct Copies {
    alignas(16) float from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    alignas(16) float to[8] = {};
    float early = 0, late = 0;
};
void copies(void*);

void talks(void*);  ///< printf
void fails(void*);  ///< assert
void counts_fmas(void*);

struct Groups {
    unsigned rank16[64] = {}, meta16[64] = {}, metas16[64] = {}, meta8[64] = {}, rank_group[64] = {};
    float sum[64] = {};
    int least8[64] = {};
    float half_sum[64] = {};
    unsigned active_rank[64] = {}, active_size[64] = {};
    int scan[64] = {}, before[64] = {}, odd_sum[64] = {};
    unsigned ballot8[64] = {};
};
void groups(void*);

/// Accesses that the compiler's hooks must report, one by one.
struct Accesses {
    int which = 0;
    alignas(16) float x[16] = {};
    alignas(16) unsigned short h[64] = {}; ///< halves
    int n[4] = {};
};
constexpr int access_kinds = 22;
void accesses(void*);

} // namespace gradus::shim_test
