// The matrix product of one ISA path. Included once per path, after vector.hpp.
#pragma once

#include "engine/backend/cpu/path.hpp"
#include "engine/backend/cpu/vector.hpp"

#include <cstring>

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::ProductPiece;

/// Steps of k at a time. A packed panel of B (384 × 32 fp32) is 48 KiB and not all of it stays in a first-level cache; a shorter
/// one would, and lose more by reading and writing C once more (256: 4 % of 2048³, 128: 15 %).
constexpr std::int64_t depth_block = 384;
/// Rows of A that are packed at a time, 672 KiB at most, of a second-level cache of 1 MiB. Each chunk packs B anew.
template <class T> constexpr std::int64_t row_chunk = (sizeof(T) == 4 ? 448 : 224) / block_rows * block_rows;
/// A is packed unless it is small, or its rows lie well: close to each other, and those of a block not in few sets of a cache.
constexpr std::int64_t least_packed = 64 * 64;
template <class T> constexpr bool rows_lie_well(std::int64_t a_row, std::int64_t a_column) {
    const std::int64_t apart = a_row * static_cast<std::int64_t>(sizeof(T));
    return a_row == 1 || (a_column == 1 && apart <= 2560 && apart % 2048 != 0);
}

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
template <class W, class T>
static inline void pack_panel(const T* b, std::int64_t b_row, std::int64_t b_column, std::int64_t depth,
                              std::int64_t columns, std::int64_t padded, T* out) {
    if (b_column == 1 && columns == padded) {
        for (std::int64_t k = 0; k < depth; ++k, b += b_row, out += padded)
            for (std::int64_t j = 0; j < padded; j += W::width) W::load(b + j).store(out + j);
        return;
    }
    if (b_column == 1) {
        for (std::int64_t k = 0; k < depth; ++k, b += b_row, out += padded)
            for (std::int64_t j = 0; j < padded; j += W::width) {
                const std::int64_t left = columns - j;
                W::load_first(b + j, static_cast<int>(left < 0 ? 0 : left < W::width ? left : W::width))
                    .store(out + j);
            }
        return;
    }
    pack_rows(b, b_column, b_row, depth, columns, out, padded);
    for (std::int64_t k = 0; columns < padded && k < depth; ++k)
        for (std::int64_t j = columns; j < padded; ++j) out[k * padded + j] = T(0);
}

/// The same where B is read from images: its `depth` rows begin at the places `start`. Each vector is put together from the
/// stretches of it that lie in one line; they are the same in every row.
template <class W, int V, class T>
static inline void pack_lines(const ProductPiece<T>& p, const std::int64_t* start, std::int64_t depth, std::int64_t column,
                              std::int64_t columns, T* out) {
    constexpr int width = W::width;
    struct Stretch {
        std::int64_t at; ///< of the vector's entry 0, if the line went on to its left
        int from, until;
    } stretches[V * width];
    int last[V], count = 0; // how many stretches there are up to each vector's last
    for (int v = 0; v < V; ++v) {
        const std::int64_t most = columns - v * width;
        for (int lane = 0; lane < width && lane < most;) {
            const std::int64_t j = column + v * width + lane, in_line = j % p.line;
            const std::int64_t left = p.line - in_line, room = (most < width ? most : width) - lane;
            const int until = lane + static_cast<int>(left < room ? left : room);
            stretches[count++] = {j / p.line * p.line_apart + in_line - lane, lane, until};
            lane = until;
        }
        last[v] = count;
    }
    if (p.line >= width) { // as most are: no vector has more than two, and vector by vector they stay in registers
        for (int v = 0, i = 0; v < V; i = last[v], ++v) {
            const Stretch one = i < last[v] ? stretches[i] : Stretch{}, other = i + 1 < last[v] ? stretches[i + 1] : Stretch{};
            T* to = out + v * width;
            if (one.until - one.from == width) {
                for (std::int64_t k = 0; k < depth; ++k, to += V * width) W::load(p.b + start[k] + one.at).store(to);
                continue;
            }
            for (std::int64_t k = 0; k < depth; ++k, to += V * width) {
                const T* b = p.b + start[k];
                W entries = W::zero();
                entries.take(b + one.at, one.from, one.until);
                entries.take(b + other.at, other.from, other.until);
                entries.store(to);
            }
        }
        return;
    }
    for (std::int64_t k = 0; k < depth; ++k, out += V * width)
        for (int v = 0, i = 0; v < V; ++v) {
            W entries = W::zero();
            for (; i < last[v]; ++i) entries.take(p.b + start[k] + stretches[i].at, stretches[i].from, stretches[i].until);
            entries.store(out + v * width);
        }
}

/// R rows × V vectors W of C, held in registers while k runs: c += a · panel. UnitRow says that a_row is 1, so that
/// the addresses of A's entries differ by constants: sixteen registers cannot hold fourteen pointers.
template <class W, int R, int V, bool UnitRow, class T>
static inline void block(const T* a, std::int64_t a_row, std::int64_t a_column, const T* panel, std::int64_t depth,
                         T* c, std::int64_t c_row, std::int64_t columns, bool first, const T* bias) {
    constexpr int width = W::width, panel_width = V * width;
    W sum[R][V];
    const bool whole = columns == panel_width;
    const auto in_vector = [columns](int j) { // columns of C that vector j covers
        const auto left = static_cast<int>(columns) - j * width;
        return left < 0 ? 0 : left < width ? left : width;
    };
    if (depth >= 64) // C is far away perhaps, and there is time to fetch it
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) __builtin_prefetch(c + i * c_row + j * width, 1);
    if (first) {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j] = W::zero();
    } else if (whole) {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j] = W::load(c + i * c_row + j * width);
    } else {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j] = W::load_first(c + i * c_row + j * width, in_vector(j));
    }
    for (std::int64_t k = 0; k < depth; ++k, a += a_column, panel += panel_width) {
        W b[V];
        for (int j = 0; j < V; ++j) b[j] = W::load(panel + j * width);
        for (int i = 0; i < R; ++i) {
            const W value = W::broadcast(UnitRow ? a + i : a + i * a_row);
            for (int j = 0; j < V; ++j) sum[i][j].multiply_add(value, b[j]);
        }
    }
    if (bias)
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j] = sum[i][j] + W::broadcast(bias + i);
    if (whole) {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j].store(c + i * c_row + j * width);
    } else {
        for (int i = 0; i < R; ++i)
            for (int j = 0; j < V; ++j) sum[i][j].store_first(c + i * c_row + j * width, in_vector(j));
    }
}

/// Calls the block of exactly `rows` rows.
template <class W, int R, int V, bool UnitRow, class T>
static inline void block_of(int rows, const T* a, std::int64_t a_row, std::int64_t a_column, const T* panel,
                            std::int64_t depth, T* c, std::int64_t c_row, std::int64_t columns, bool first, const T* bias) {
    if (rows == R) return block<W, R, V, UnitRow>(a, a_row, a_column, panel, depth, c, c_row, columns, first, bias);
    if constexpr (R > 1)
        block_of<W, R - 1, V, UnitRow>(rows, a, a_row, a_column, panel, depth, c, c_row, columns, first, bias);
}

/// Where block number `i` of a chunk's rows begins: dealt out evenly, so that no block is left nearly empty.
struct RowBlocks {
    std::int64_t rows, blocks = (rows + block_rows - 1) / block_rows;
    std::int64_t from(std::int64_t i) const { return rows * i / blocks; }
};

/// One panel of V vectors W of columns, for rows [row, row + rows) and `depth` steps of k from k on. `packed` is A's
/// packed chunk, or null where A is read in place.
template <class W, int V, class T>
static inline void panel_product(const ProductPiece<T>& p, const T* packed, std::int64_t row, std::int64_t rows,
                                 std::int64_t k, std::int64_t depth, std::int64_t column, std::int64_t columns) {
    constexpr int padded = V * W::width;
    alignas(64) T panel[depth_block * padded];
    if (p.b_starts) pack_lines<W, V>(p, p.b_starts + k, depth, column, columns, panel);
    else pack_panel<W>(p.b + k * p.b_row + column * p.b_column, p.b_row, p.b_column, depth, columns, padded, panel);
    const RowBlocks blocks{rows};
    const bool first = k == 0 && !p.onto, last = k + depth == p.depth;
    for (std::int64_t i = 0; i < blocks.blocks; ++i) {
        const std::int64_t from = blocks.from(i), count = blocks.from(i + 1) - from;
        const T* bias = p.row_bias && last ? p.row_bias + row + from : nullptr;
        T* c = p.c + (row + from) * p.c_row + column;
        const T* a = p.a + (row + from) * p.a_row + k * p.a_column;
        const int height = static_cast<int>(count);
        if (packed)
            block_of<W, block_rows, V, true>(height, packed + from * depth, 1, count, panel, depth, c, p.c_row, columns, first, bias);
        else if (p.a_row == 1)
            block_of<W, block_rows, V, true>(height, a, 1, p.a_column, panel, depth, c, p.c_row, columns, first, bias);
        else
            block_of<W, block_rows, V, false>(height, a, p.a_row, p.a_column, panel, depth, c, p.c_row, columns, first, bias);
    }
}

template <class T>
static void row_chunk_product(const ProductPiece<T>& p, std::int64_t row, std::int64_t rows, std::int64_t k,
                              std::int64_t depth) {
    constexpr int width = Vec<T>::width, half = HalfVec<T>::width, wide = block_vectors * width;
    alignas(64) T storage[row_chunk<T> * depth_block];
    const T* packed = nullptr;
    if (!rows_lie_well<T>(p.a_row, p.a_column) && rows * depth >= least_packed && p.column_until - p.column_from >= width) {
        const RowBlocks blocks{rows};
        for (std::int64_t i = 0; i < blocks.blocks; ++i)
            pack_rows<T>(p.a + (row + blocks.from(i)) * p.a_row + k * p.a_column, p.a_row, p.a_column, depth,
                         blocks.from(i + 1) - blocks.from(i), storage + blocks.from(i) * depth,
                         blocks.from(i + 1) - blocks.from(i));
        packed = storage;
    }
    std::int64_t column = p.column_from;
    const auto left = [&] { return p.column_until - column; };
    for (; left() > width; column += wide)
        panel_product<Vec<T>, block_vectors>(p, packed, row, rows, k, depth, column, left() < wide ? left() : wide);
    if (left() <= 0) return;
    if (half < width && left() <= half) panel_product<HalfVec<T>, 1>(p, packed, row, rows, k, depth, column, left());
    else panel_product<Vec<T>, 1>(p, packed, row, rows, k, depth, column, left());
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
