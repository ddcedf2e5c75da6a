// Flash attention of one ISA path: tiles of queries against tiles of keys, each a product of the path and a pass of exponentials.
// Included once per path, after product.hpp and elementwise.hpp. Formulas stand at the op (engine/ops/attention.hpp).
#pragma once

#include "engine/backend/cpu/attention_loops.hpp"
#include "engine/backend/cpu/product.hpp"
#include "engine/backend/cpu/row_exp.hpp"
#include "engine/core/portable_math.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::AttentionTile;

/// Rows [row, row + rows) of queries against columns [column, column + columns) of keys, or of ∂o against values.
struct TilePlace {
    std::int64_t row, rows, column, columns;
};

static inline std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

/// out = a (rows, D) · bᵀ (D, columns).
template <class T> static void rows_by_rows(const AttentionTile<T>& t, const T* a, const T* b, TilePlace at, T* out) {
    product<T>({.a = a + at.row * t.size, .b = b + at.column * t.size, .c = out,
                .a_row = t.size, .a_column = 1, .b_row = 1, .b_column = t.size, .c_row = t.tile_columns,
                .row_until = at.rows, .column_until = at.columns, .depth = t.size});
}

/// out (rows, D) = or += weights (rows, columns) · b (columns, D).
template <class T> static void weigh(const AttentionTile<T>& t, const T* weights, const T* b, TilePlace at, T* out, bool onto) {
    product<T>({.a = weights, .b = b + at.column * t.size, .c = out + at.row * t.size,
                .a_row = t.tile_columns, .a_column = 1, .b_row = t.size, .b_column = 1, .c_row = t.size,
                .row_until = at.rows, .column_until = t.size, .depth = at.columns, .onto = onto});
}

/// out (columns, D) = or += weightsᵀ (columns, rows) · b (rows, D).
template <class T>
static void weigh_transposed(const AttentionTile<T>& t, const T* weights, const T* b, TilePlace at, T* out, bool onto) {
    product<T>({.a = weights, .b = b + at.row * t.size, .c = out + at.column * t.size,
                .a_row = 1, .a_column = t.tile_columns, .b_row = t.size, .b_column = 1, .c_row = t.size,
                .row_until = at.columns, .column_until = t.size, .depth = at.rows, .onto = onto});
}

/// s_ij = scale · q_i·k_j, -∞ where key j is masked for query i.
template <class T> static void scaled_scores(const AttentionTile<T>& t, TilePlace at) {
    rows_by_rows(t, t.q, t.k, at, t.scores);
    for (std::int64_t i = 0; i < at.rows; ++i) {
        T* __restrict s = t.scores + i * t.tile_columns;
        for (std::int64_t j = 0; j < at.columns; ++j) s[j] *= t.scale;
        if (!t.causal) continue;
        const std::int64_t seen = at.row + i + 1 - at.column; // keys of this tile that the query sees
        for (std::int64_t j = seen < 0 ? 0 : seen; j < at.columns; ++j) s[j] = -static_cast<T>(__builtin_inf());
    }
}

/// One tile of keys for the rows of a query tile. With the maximum m and the sum l of the keys before it: m' = max(m, max s),
/// p = e^(s - m'), l' = e^(m - m') · l + Σ p, o' = e^(m - m') · o + p·v.
template <class T> static void next_keys(const AttentionTile<T>& t, TilePlace at) {
    scaled_scores(t, at);
    const bool first = at.column == 0;
    for (std::int64_t i = 0; i < at.rows; ++i) {
        T* __restrict s = t.scores + i * t.tile_columns;
        const T here = row_largest(s, at.columns), before = first ? here : t.row[i];
        const T highest = before < here ? here : before;
        const double sum = row_exp_and_sum(s, s, at.columns, highest);
        t.row[i] = highest;
        if (first) {
            t.sums[i] = sum;
            continue;
        }
        const T factor = exp(before - highest);
        t.sums[i] = t.sums[i] * static_cast<double>(factor) + sum;
        T* __restrict o = t.out + (at.row + i) * t.size;
        for (std::int64_t d = 0; d < t.size; ++d) o[d] *= factor;
    }
    weigh(t, t.scores, t.v, at, t.out, !first);
}

template <class T> static void attention_forward(const AttentionTile<T>& t) {
    const std::int64_t rows = t.until - t.from, seen = t.causal ? smaller(t.until, t.keys) : t.keys;
    for (std::int64_t column = 0; column < seen; column += t.tile_columns)
        next_keys(t, {t.from, rows, column, smaller(t.tile_columns, t.keys - column)});
    for (std::int64_t i = 0; i < rows; ++i) {
        T* __restrict o = t.out + (t.from + i) * t.size;
        const T sum = static_cast<T>(t.sums[i]);
        for (std::int64_t d = 0; d < t.size; ++d) o[d] /= sum;
        t.out2[t.from + i] = static_cast<T>(static_cast<double>(t.row[i]) + log(t.sums[i]));
    }
}

/// D_i = Σ_d ∂o_id · o_id - ∂L_i, of the rows of a query tile, one chain in the order of d, as the product makes ∂o·v: where one
/// key has all the weight, the two are the same number and their difference is 0.
template <class T> static void row_products(const AttentionTile<T>& t, std::int64_t row, std::int64_t rows) {
    for (std::int64_t i = 0; i < rows; ++i) {
        const T *o = t.o + (row + i) * t.size, *d_out = t.d_out + (row + i) * t.size;
        T sum = T(0);
        for (std::int64_t d = 0; d < t.size; ++d) sum = madd(d_out[d], o[d], sum);
        t.row[i] = t.d_lse ? sum - t.d_lse[row + i] : sum;
    }
}

/// p_ij = e^(s_ij - L_i) into scores, and scale · ∂s_ij = scale · p_ij · (∂o_i·v_j - D_i) into d_scores.
template <class T> static void weights_and_gradients(const AttentionTile<T>& t, TilePlace at) {
    scaled_scores(t, at);
    rows_by_rows(t, t.d_out, t.v, at, t.d_scores);
    for (std::int64_t i = 0; i < at.rows; ++i) {
        T* __restrict p = t.scores + i * t.tile_columns;
        T* __restrict d = t.d_scores + i * t.tile_columns;
        const T lse = t.lse[at.row + i], product = t.row[i];
        row_exp(p, p, at.columns, lse);
        for (std::int64_t j = 0; j < at.columns; ++j) d[j] = p[j] * (d[j] - product) * t.scale;
    }
}

template <class T> static void attention_query_gradient(const AttentionTile<T>& t) {
    const std::int64_t rows = t.until - t.from, seen = t.causal ? smaller(t.until, t.keys) : t.keys;
    row_products(t, t.from, rows);
    for (std::int64_t column = 0; column < seen; column += t.tile_columns) {
        const TilePlace at{t.from, rows, column, smaller(t.tile_columns, t.keys - column)};
        weights_and_gradients(t, at);
        weigh(t, t.d_scores, t.k, at, t.out, column > 0);
    }
}

template <class T> static void attention_key_gradient(const AttentionTile<T>& t) {
    const std::int64_t columns = t.until - t.from;
    bool onto = t.onto;
    for (std::int64_t row = t.causal ? t.from / t.tile_rows * t.tile_rows : 0; row < t.queries; row += t.tile_rows) {
        const TilePlace at{row, smaller(t.tile_rows, t.queries - row), t.from, columns};
        row_products(t, at.row, at.rows);
        weights_and_gradients(t, at);
        weigh_transposed(t, t.d_scores, t.q, at, t.out, onto);
        weigh_transposed(t, t.scores, t.d_out, at, t.out2, onto);
        onto = true;
    }
    for (std::int64_t i = t.from * t.size; !onto && i < t.until * t.size; ++i) t.out[i] = t.out2[i] = T(0); // no query sees them
}

/// All of dq, dk and dv of one head, each tile's weights made once; every number is summed in the order of the two above.
template <class T> static void attention_gradients(const AttentionTile<T>& t) {
    for (std::int64_t column = 0; column < t.keys; column += t.tile_columns) {
        bool onto = t.onto;
        for (std::int64_t row = t.causal ? column / t.tile_rows * t.tile_rows : 0; row < t.queries; row += t.tile_rows) {
            const TilePlace at{row, smaller(t.tile_rows, t.queries - row), column, smaller(t.tile_columns, t.keys - column)};
            row_products(t, at.row, at.rows);
            weights_and_gradients(t, at);
            weigh(t, t.d_scores, t.k, at, t.d_query, column > 0);
            weigh_transposed(t, t.d_scores, t.q, at, t.out, onto);
            weigh_transposed(t, t.scores, t.d_out, at, t.out2, onto);
            onto = true;
        }
        const std::int64_t until = smaller(column + t.tile_columns, t.keys) * t.size;
        for (std::int64_t i = column * t.size; !onto && i < until; ++i) t.out[i] = t.out2[i] = T(0); // no query sees them
    }
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
