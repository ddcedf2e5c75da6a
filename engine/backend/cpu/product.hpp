// The matrix product of one ISA path. Included once per path, after vector.hpp.
#pragma once

#include "engine/backend/cpu/path.hpp"
#include "engine/backend/cpu/vector.hpp"

#include <cstring>

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::ProductPiece;

constexpr std::int64_t depth_block = 256;            // a packed panel of B (256 × 32 fp32) fills a first-level cache
/// Rows of A that are packed at a time, 448 KiB at most: half of a second-level cache of 1 MiB. Each chunk packs B anew.
template <class T> constexpr std::int64_t row_chunk = (sizeof(T) == 4 ? 448 : 224) / block_rows * block_rows;
constexpr std::int64_t least_packed = 64 * 64;       // smaller pieces of A are read where they lie

/// Writes a 4 × 4 tile of rows `a_row` apart as its transpose, with rows `out_row` apart.
template <class T> static inline void transpose_tile(const T* a, std::int64_t a_row, T* out, std::int64_t out_row) {
    typedef T Four __attribute__((vector_size(4 * sizeof(T))));
    Four row[4], pair[4];
    for (int i = 0; i < 4; ++i) std::memcpy(&row[i], a + i * a_row, sizeof(Four));
    for (int i = 0; i < 4; i += 2) {
        pair[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 4, 1, 5);
        pair[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 2, 6, 3, 7);
    }
    for (int half = 0; half < 2; ++half) {
        row[2 * half] = __builtin_shufflevector(pair[half], pair[half + 2], 0, 1, 4, 5);
        row[2 * half + 1] = __builtin_shufflevector(pair[half], pair[half + 2], 2, 3, 6, 7);
    }
    for (int i = 0; i < 4; ++i) std::memcpy(out + i * out_row, &row[i], sizeof(Four));
}

/// Copies `rows` rows of A so that the entries of one column, which one step of k needs, lie side by side; columns come `apart`.
template <class T>
static inline void pack_rows(const T* a, std::int64_t a_row, std::int64_t a_column, std::int64_t depth,
                             std::int64_t rows, T* out, std::int64_t apart) {
    std::int64_t i = 0;
    const std::int64_t tiled = a_column == 1 ? depth / 4 * 4 : 0; // columns that whole tiles cover
    for (; tiled && i + 4 <= rows; i += 4) {
        for (std::int64_t k = 0; k < tiled; k += 4) transpose_tile(a + i * a_row + k, a_row, out + k * apart + i, apart);
        for (std::int64_t k = tiled; k < depth; ++k)
            for (std::int64_t j = i; j < i + 4; ++j) out[k * apart + j] = a[j * a_row + k];
    }
    for (; i < rows; ++i)
        for (std::int64_t k = 0; k < depth; ++k) out[k * apart + i] = a[i * a_row + k * a_column];
}

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
    if (b_column == 1) {
        for (std::int64_t k = 0; k < depth; ++k, b += b_row, out += padded)
            for (std::int64_t j = 0; j < padded; j += Vec<T>::width) {
                const std::int64_t left = columns - j;
                Vec<T>::load_first(b + j, static_cast<int>(left < 0 ? 0 : left < Vec<T>::width ? left : Vec<T>::width))
                    .store(out + j);
            }
        return;
    }
    pack_rows(b, b_column, b_row, depth, columns, out, padded);
    for (std::int64_t k = 0; columns < padded && k < depth; ++k)
        for (std::int64_t j = columns; j < padded; ++j) out[k * padded + j] = T(0);
}

/// R rows × V vectors of C, held in registers while k runs: c += a · panel. UnitRow says that a_row is 1, so that
/// the addresses of A's entries differ by constants: sixteen registers cannot hold fourteen pointers.
template <class T, int R, int V, bool UnitRow>
static inline void block(const T* a, std::int64_t a_row, std::int64_t a_column, const T* panel, std::int64_t depth,
                         T* c, std::int64_t c_row, std::int64_t columns, bool first) {
    constexpr int width = Vec<T>::width, panel_width = V * width;
    Vec<T> sum[R][V];
    const bool whole = columns == panel_width;
    const auto in_vector = [columns](int j) { // columns of C that vector j covers
        const auto left = static_cast<int>(columns) - j * width;
        return left < 0 ? 0 : left < width ? left : width;
    };
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < V; ++j)
            sum[i][j] = first   ? Vec<T>::zero()
                        : whole ? Vec<T>::load(c + i * c_row + j * width)
                                : Vec<T>::load_first(c + i * c_row + j * width, in_vector(j));
    for (std::int64_t k = 0; k < depth; ++k, a += a_column, panel += panel_width) {
        Vec<T> b[V];
        for (int j = 0; j < V; ++j) b[j] = Vec<T>::load(panel + j * width);
        for (int i = 0; i < R; ++i) {
            const Vec<T> value = Vec<T>::broadcast(UnitRow ? a + i : a + i * a_row);
            for (int j = 0; j < V; ++j) sum[i][j].multiply_add(value, b[j]);
        }
    }
    for (int i = 0; i < R; ++i)
        for (int j = 0; j < V; ++j) {
            if (whole) sum[i][j].store(c + i * c_row + j * width);
            else sum[i][j].store_first(c + i * c_row + j * width, in_vector(j));
        }
}

/// Calls the block of exactly `rows` rows.
template <class T, int R, int V, bool UnitRow>
static inline void block_of(int rows, const T* a, std::int64_t a_row, std::int64_t a_column, const T* panel,
                            std::int64_t depth, T* c, std::int64_t c_row, std::int64_t columns, bool first) {
    if (rows == R) return block<T, R, V, UnitRow>(a, a_row, a_column, panel, depth, c, c_row, columns, first);
    if constexpr (R > 1)
        block_of<T, R - 1, V, UnitRow>(rows, a, a_row, a_column, panel, depth, c, c_row, columns, first);
}

/// Where block number `i` of a chunk's rows begins: dealt out evenly, so that no block is left nearly empty.
struct RowBlocks {
    std::int64_t rows, blocks = (rows + block_rows - 1) / block_rows;
    std::int64_t from(std::int64_t i) const { return rows * i / blocks; }
};

/// One panel of V vectors of columns, for rows [row, row + rows) and `depth` steps of k from k on. `packed` is A's
/// packed chunk, or null where A is read in place.
template <class T, int V>
static inline void panel_product(const ProductPiece<T>& p, const T* packed, std::int64_t row, std::int64_t rows,
                                 std::int64_t k, std::int64_t depth, std::int64_t column, std::int64_t columns) {
    constexpr int padded = V * Vec<T>::width;
    alignas(64) T panel[depth_block * padded];
    pack_panel<T>(p.b + k * p.b_row + column * p.b_column, p.b_row, p.b_column, depth, columns, padded, panel);
    const RowBlocks blocks{rows};
    const bool first = k == 0 && !p.onto;
    for (std::int64_t i = 0; i < blocks.blocks; ++i) {
        const std::int64_t from = blocks.from(i), count = blocks.from(i + 1) - from;
        T* c = p.c + (row + from) * p.c_row + column;
        const T* a = p.a + (row + from) * p.a_row + k * p.a_column;
        const int height = static_cast<int>(count);
        if (packed)
            block_of<T, block_rows, V, true>(height, packed + from * depth, 1, count, panel, depth, c, p.c_row, columns, first);
        else if (p.a_row == 1)
            block_of<T, block_rows, V, true>(height, a, 1, p.a_column, panel, depth, c, p.c_row, columns, first);
        else
            block_of<T, block_rows, V, false>(height, a, p.a_row, p.a_column, panel, depth, c, p.c_row, columns, first);
    }
}

template <class T>
static void row_chunk_product(const ProductPiece<T>& p, std::int64_t row, std::int64_t rows, std::int64_t k,
                              std::int64_t depth) {
    constexpr int width = Vec<T>::width, wide = block_vectors * width;
    alignas(64) T storage[row_chunk<T> * depth_block];
    const T* packed = nullptr;
    if (p.a_row != 1 && rows * depth >= least_packed && p.column_until - p.column_from >= width) {
        const RowBlocks blocks{rows};
        for (std::int64_t i = 0; i < blocks.blocks; ++i)
            pack_rows<T>(p.a + (row + blocks.from(i)) * p.a_row + k * p.a_column, p.a_row, p.a_column, depth,
                         blocks.from(i + 1) - blocks.from(i), storage + blocks.from(i) * depth,
                         blocks.from(i + 1) - blocks.from(i));
        packed = storage;
    }
    std::int64_t column = p.column_from;
    for (; p.column_until - column > width; column += wide)
        panel_product<T, block_vectors>(p, packed, row, rows, k, depth, column,
                                        p.column_until - column < wide ? p.column_until - column : wide);
    if (column < p.column_until)
        panel_product<T, 1>(p, packed, row, rows, k, depth, column, p.column_until - column);
}

template <class T> static void product(const ProductPiece<T>& p) {
    const std::int64_t blocks = p.depth <= depth_block ? 1 : (p.depth + depth_block - 1) / depth_block;
    for (std::int64_t block = 0; block < blocks; ++block) { // even ones: a short last block would load C for little
        const std::int64_t k = p.depth * block / blocks, depth = p.depth * (block + 1) / blocks - k;
        for (std::int64_t row = p.row_from; row < p.row_until; row += row_chunk<T>)
            row_chunk_product(p, row, p.row_until - row < row_chunk<T> ? p.row_until - row : row_chunk<T>, k, depth);
    }
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
