// The matrix product of one ISA path. Included once per path, after vector.hpp.
#pragma once

#include "engine/backend/cpu/path.hpp"
#include "engine/backend/cpu/vector.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::ProductPiece;

constexpr std::int64_t depth_block = 256; // a packed panel of B (256 × 32 fp32) fills a first-level cache

/// Copies columns [column, column + columns) of `depth` rows of B side by side, padded with zeros to `padded`
/// columns, so that the inner loop reads one contiguous stream.
template <class T>
static inline void pack_panel(const T* b, std::int64_t b_row, std::int64_t b_column, std::int64_t depth,
                              std::int64_t columns, std::int64_t padded, T* out) {
    if (b_column == 1 && columns == padded) {
        for (std::int64_t k = 0; k < depth; ++k, b += b_row, out += padded)
            for (std::int64_t j = 0; j < padded; j += Vec<T>::width) Vec<T>::load(b + j).store(out + j);
        return;
    }
    for (std::int64_t k = 0; k < depth; ++k, b += b_row, out += padded) {
        for (std::int64_t j = 0; j < columns; ++j) out[j] = b[j * b_column];
        for (std::int64_t j = columns; j < padded; ++j) out[j] = T(0);
    }
}

/// R rows × V vectors of C, held in registers while k runs: c += a · panel.
template <class T, int R, int V>
static inline void block(const T* a, std::int64_t a_row, std::int64_t a_column, const T* panel, std::int64_t depth,
                         T* c, std::int64_t c_row, std::int64_t columns, bool first) {
    constexpr int width = Vec<T>::width, panel_width = V * width;
    Vec<T> sum[R][V];
    T edge[R][panel_width];
    const bool whole = columns == panel_width;
    if (first) {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j] = Vec<T>::zero();
    } else if (whole) {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j] = Vec<T>::load(c + i * c_row + j * width);
    } else {
        for (int i = 0; i < R; ++i) {
            for (std::int64_t j = 0; j < panel_width; ++j) edge[i][j] = j < columns ? c[i * c_row + j] : T(0);
            for (int j = 0; j < V; ++j) sum[i][j] = Vec<T>::load(edge[i] + j * width);
        }
    }
    for (std::int64_t k = 0; k < depth; ++k, a += a_column, panel += panel_width) {
        Vec<T> b[V];
        for (int j = 0; j < V; ++j) b[j] = Vec<T>::load(panel + j * width);
        for (int i = 0; i < R; ++i) {
            const Vec<T> value = Vec<T>::broadcast(a + i * a_row);
            for (int j = 0; j < V; ++j) sum[i][j].multiply_add(value, b[j]);
        }
    }
    for (int i = 0; i < R; ++i) {
        if (whole) {
            for (int j = 0; j < V; ++j) sum[i][j].store(c + i * c_row + j * width);
        } else {
            for (int j = 0; j < V; ++j) sum[i][j].store(edge[i] + j * width);
            for (std::int64_t j = 0; j < columns; ++j) c[i * c_row + j] = edge[i][j];
        }
    }
}

/// Calls the block of exactly `rows` rows.
template <class T, int R, int V>
static inline void block_of(int rows, const T* a, std::int64_t a_row, std::int64_t a_column, const T* panel,
                            std::int64_t depth, T* c, std::int64_t c_row, std::int64_t columns, bool first) {
    if (rows == R) return block<T, R, V>(a, a_row, a_column, panel, depth, c, c_row, columns, first);
    if constexpr (R > 1) block_of<T, R - 1, V>(rows, a, a_row, a_column, panel, depth, c, c_row, columns, first);
}

template <class T, int V>
static inline void panel_product(const ProductPiece<T>& p, std::int64_t column, std::int64_t columns) {
    constexpr int padded = V * Vec<T>::width;
    const std::int64_t rows = p.row_until - p.row_from;
    alignas(64) T packed[depth_block * padded];
    const std::int64_t blocks = (rows + block_rows - 1) / block_rows;
    for (std::int64_t k = 0; k == 0 || k < p.depth; k += depth_block) {
        const std::int64_t depth = p.depth - k < depth_block ? p.depth - k : depth_block;
        pack_panel<T>(p.b + k * p.b_row + column * p.b_column, p.b_row, p.b_column, depth, columns, padded, packed);
        for (std::int64_t block_index = 0; block_index < blocks; ++block_index) {
            // rows dealt out evenly, so that no block is left nearly empty
            const std::int64_t from = p.row_from + rows * block_index / blocks;
            const std::int64_t until = p.row_from + rows * (block_index + 1) / blocks;
            block_of<T, block_rows, V>(static_cast<int>(until - from), p.a + from * p.a_row + k * p.a_column, p.a_row,
                                       p.a_column, packed, depth, p.c + from * p.c_row + column, p.c_row, columns,
                                       k == 0);
        }
    }
}

template <class T> static void product(const ProductPiece<T>& p) {
    constexpr int width = Vec<T>::width, wide = block_vectors * width;
    if (p.row_until <= p.row_from) return;
    std::int64_t column = p.column_from;
    for (; p.column_until - column > width; column += wide)
        panel_product<T, block_vectors>(p, column, p.column_until - column < wide ? p.column_until - column : wide);
    if (column < p.column_until) panel_product<T, 1>(p, column, p.column_until - column);
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
