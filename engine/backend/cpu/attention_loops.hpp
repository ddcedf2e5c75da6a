#pragma once

#include <cstdint>

namespace gradus::cpu {

/// One head of flash attention: its matrices, contiguous, and the tile that is to be made. Element counts throughout.
template <class T> struct AttentionTile {
    const T* q = nullptr;      // (T, D)
    const T* k = nullptr;      // (S, D)
    const T* v = nullptr;      // (S, D)
    const T* o = nullptr;      // (T, D), backward only, as all below
    const T* lse = nullptr;    // (T)
    const T* d_out = nullptr;  // (T, D)
    const T* d_lse = nullptr;  // (T), or null for none
    T* out = nullptr;          // o, or dq (T, D), or dk (S, D)
    T* out2 = nullptr;         // L (T), or dv (S, D)
    T* d_query = nullptr;      // dq (T, D), where all gradients are made at once
    T* scores = nullptr;       // (tile_rows, tile_columns), scratch, as those below
    T* d_scores = nullptr;     // (tile_rows, tile_columns), backward only
    T* row = nullptr;          // (tile_rows): the running maximum, or D
    double* sums = nullptr;    // (tile_rows): the running sum, forward only
    std::int64_t queries = 0, keys = 0, size = 0;       // T, S, D
    std::int64_t tile_rows = 0, tile_columns = 0;       // of queries and of keys
    std::int64_t from = 0, until = 0;                   // rows of queries, or of keys where dk and dv are made
    T scale = 0;
    bool causal = false;
    bool onto = false; ///< dk and dv go on from what is there: another head of the group
};

/// What one ISA path computes for attention. Every number is summed in one order, whatever the path and the threads.
template <class T> struct AttentionLoops {
    void (*forward)(const AttentionTile<T>&);        ///< o and L of rows [from, until) of the queries
    void (*query_gradient)(const AttentionTile<T>&); ///< dq of rows [from, until) of the queries
    void (*key_gradient)(const AttentionTile<T>&);   ///< dk and dv of rows [from, until) of the keys
    void (*gradients)(const AttentionTile<T>&);      ///< dq, dk and dv of the whole head
};

} // namespace gradus::cpu
