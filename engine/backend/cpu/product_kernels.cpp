#include "engine/backend/cpu/kernel_parts.hpp"

#include <array>

namespace gradus::cpu {

namespace {

/// Multiply-adds below which a second thread costs more than it saves.
constexpr std::int64_t parallel_product = 1'000'000;
/// Rows and columns of a result below which a piece of a product is mostly copying.
constexpr std::int64_t least_rows = 14, panel_columns = 32;

/// Into how many ranges of rows and of columns a product's result is cut, one piece per thread.
struct Cut {
    int rows = 1, columns = 1;
};

/// Every piece copies its rows of A, where A is not read in place, and its columns of B. So the cut that leaves the
/// fewest of both is taken; of fewer pieces than threads only where the result is too small for more.
Cut cut_for(int threads, std::int64_t rows, std::int64_t columns, bool copies_rows) {
    Cut best;
    std::int64_t least = 0;
    for (int r = 1; r <= threads && (r == 1 || rows >= r * least_rows); ++r) {
        const auto most = static_cast<int>(std::max<std::int64_t>(1, (columns + panel_columns - 1) / panel_columns));
        const Cut cut{r, std::min(threads / r, most)};
        const std::int64_t copied = (copies_rows ? rows / cut.rows : 0) + columns / cut.columns;
        const int pieces = cut.rows * cut.columns, best_pieces = best.rows * best.columns;
        if (pieces > best_pieces || (pieces == best_pieces && copied < least) || r == 1) best = cut, least = copied;
    }
    return best;
}

/// Piece number `piece` of a product's result.
template <class T>
ProductPiece<T> part_of(ProductPiece<T> whole, Cut cut, int piece, std::int64_t rows, std::int64_t columns) {
    const int row = piece / cut.columns, column = piece % cut.columns;
    const std::int64_t panels = (columns + panel_columns - 1) / panel_columns;
    whole.row_from = rows * row / cut.rows;
    whole.row_until = rows * (row + 1) / cut.rows;
    whole.column_from = panels * column / cut.columns * panel_columns;
    whole.column_until = std::min(columns, panels * (column + 1) / cut.columns * panel_columns);
    return whole;
}

// C = op(A) · op(B); attributes: transpose A, transpose B.
template <class T> GradusStatus run_product(const GradusCall* call) {
    const GradusArray &a = call->inputs[0], &b = call->inputs[1], &c = call->outputs[0];
    const bool transpose_a = call->attributes[0] != 0, transpose_b = call->attributes[1] != 0;
    ProductPiece<T> whole;
    whole.a = in<T>(call, 0);
    whole.b = in<T>(call, 1);
    whole.c = out<T>(call, 0);
    whole.a_row = a.strides[transpose_a ? 1 : 0];
    whole.a_column = a.strides[transpose_a ? 0 : 1];
    whole.b_row = b.strides[transpose_b ? 1 : 0];
    whole.b_column = b.strides[transpose_b ? 0 : 1];
    whole.c_row = c.strides[0];
    const std::int64_t rows = c.sizes[0], columns = c.sizes[1];
    whole.depth = a.sizes[transpose_a ? 0 : 1];
    whole.row_until = rows;
    whole.column_until = columns;
    const auto& path = path_of<T>(call);
    WorkerPool& pool = call->context->pool;
    if (pool.threads() == 1 || rows * columns * whole.depth < parallel_product) {
        path.product(whole);
        return GRADUS_OK;
    }
    const Cut cut = cut_for(pool.threads(), rows, columns, whole.a_row != 1);
    pool.parallel_for(cut.rows * cut.columns, [&](int piece) { path.product(part_of(whole, cut, piece, rows, columns)); });
    return GRADUS_OK;
}

/// Where each matrix of a batched product lies: its leading axes, broadcast to those of A and B together. The result may have
/// fewer of them, or 1 instead of more: there the products that fall on one matrix are summed, in the order of the others.
struct Batch {
    int axes = 0;
    std::int64_t sizes[GRADUS_MAX_RANK], a[GRADUS_MAX_RANK], b[GRADUS_MAX_RANK], c[GRADUS_MAX_RANK]; // strides; 0: broadcast

    explicit Batch(const GradusCall* call) {
        const GradusArray* arrays[] = {&call->inputs[0], &call->inputs[1], &call->outputs[0]};
        axes = std::max({arrays[0]->rank, arrays[1]->rank, arrays[2]->rank}) - 2;
        std::int64_t* strides[] = {a, b, c};
        for (int axis = 0; axis < axes; ++axis) sizes[axis] = 1;
        for (int i = 0; i < 3; ++i)
            for (int axis = 0; axis < axes; ++axis) {
                const int own = axis - (axes - (arrays[i]->rank - 2));
                const std::int64_t size = own < 0 ? 1 : arrays[i]->sizes[own];
                strides[i][axis] = size == 1 ? 0 : arrays[i]->strides[own];
                if (size != 1) sizes[axis] = size;
            }
    }
    std::int64_t count(bool summed) const {
        std::int64_t product = 1;
        for (int axis = 0; axis < axes; ++axis) product *= is_summed(axis) == summed ? sizes[axis] : 1;
        return product;
    }
    bool is_summed(int axis) const { return c[axis] == 0 && sizes[axis] != 1; }
    /// Takes the innermost axes into the matrices themselves where they lie so: rows of A for one B, which make a taller product,
    /// or steps of k for one sum, which make a deeper one. Every c_ij is the chain that it was.
    template <class T> void join(ProductPiece<T>& one) {
        for (; axes > 0; --axes) {
            const int axis = axes - 1;
            const std::int64_t size = sizes[axis];
            if (size == 1) continue;
            if (is_summed(axis) && a[axis] == one.depth * one.a_column && b[axis] == one.depth * one.b_row) one.depth *= size;
            else if (b[axis] == 0 && a[axis] == one.row_until * one.a_row && c[axis] == one.row_until * one.c_row)
                one.row_until *= size;
            else return;
        }
    }
    /// Adds where matrix `index` lies, counted over the summed axes or over the others.
    void offsets(std::int64_t index, bool summed, std::int64_t& in_a, std::int64_t& in_b, std::int64_t& in_c) const {
        for (int axis = axes - 1; axis >= 0; --axis) {
            if (is_summed(axis) != summed) continue;
            const std::int64_t at = index % sizes[axis];
            index /= sizes[axis];
            in_a += at * a[axis], in_b += at * b[axis], in_c += at * c[axis];
        }
    }
};

// C_b = op(A_b) · op(B_b) for every matrix b; attributes: transpose A, transpose B. Small products are handed out some at a time,
// and a large one is cut as matmul is: no bit depends on either, since every c_ij is one chain.
template <class T> GradusStatus run_batched_product(const GradusCall* call) {
    const GradusArray &a = call->inputs[0], &b = call->inputs[1], &c = call->outputs[0];
    const bool transpose_a = call->attributes[0] != 0, transpose_b = call->attributes[1] != 0;
    const std::int64_t *a_last = a.strides + a.rank - 2, *b_last = b.strides + b.rank - 2;
    ProductPiece<T> one;
    one.a_row = a_last[transpose_a ? 1 : 0];
    one.a_column = a_last[transpose_a ? 0 : 1];
    one.b_row = b_last[transpose_b ? 1 : 0];
    one.b_column = b_last[transpose_b ? 0 : 1];
    one.c_row = c.strides[c.rank - 2];
    const std::int64_t columns = c.sizes[c.rank - 1];
    one.depth = a.sizes[a.rank - (transpose_a ? 2 : 1)];
    one.row_until = c.sizes[c.rank - 2];
    one.column_until = columns;
    Batch batch(call);
    batch.join(one);
    const std::int64_t rows = one.row_until;
    const std::int64_t matrices = batch.count(false), terms = batch.count(true);
    if (rows * columns == 0 || matrices == 0) return GRADUS_OK;
    if (terms == 0) {
        std::fill_n(out<T>(call, 0), elements(c), T(0));
        return GRADUS_OK;
    }
    const auto& path = path_of<T>(call);
    const auto multiply = [&](ProductPiece<T> part, std::int64_t matrix) {
        std::int64_t in_a = 0, in_b = 0, in_c = 0;
        batch.offsets(matrix, false, in_a, in_b, in_c);
        part.c = out<T>(call, 0) + in_c;
        for (std::int64_t term = 0; term < terms; ++term) {
            std::int64_t term_a = in_a, term_b = in_b, ignored = 0;
            batch.offsets(term, true, term_a, term_b, ignored);
            part.a = in<T>(call, 0) + term_a;
            part.b = in<T>(call, 1) + term_b;
            part.onto = term > 0;
            path.product(part);
        }
    };
    WorkerPool& pool = call->context->pool;
    const std::int64_t each = rows * columns * std::max<std::int64_t>(1, one.depth) * terms; // multiply-adds a matrix
    if (pool.threads() == 1 || matrices * each < parallel_product) {
        for (std::int64_t matrix = 0; matrix < matrices; ++matrix) multiply(one, matrix);
        return GRADUS_OK;
    }
    if (matrices >= pool.threads()) {
        const std::int64_t together = std::max<std::int64_t>(1, parallel_product / 8 / each);
        const std::int64_t pieces = (matrices + together - 1) / together;
        pool.parallel_for(static_cast<int>(pieces), [&](int piece) {
            const std::int64_t until = std::min(matrices, (piece + 1) * together);
            for (std::int64_t matrix = piece * together; matrix < until; ++matrix) multiply(one, matrix);
        });
        return GRADUS_OK;
    }
    const Cut cut = cut_for(pool.threads() / static_cast<int>(matrices), rows, columns, one.a_row != 1);
    pool.parallel_for(static_cast<int>(matrices) * cut.rows * cut.columns, [&](int piece) {
        multiply(part_of(one, cut, piece % (cut.rows * cut.columns), rows, columns), piece / (cut.rows * cut.columns));
    });
    return GRADUS_OK;
}

} // namespace

std::span<const Kernel> product_kernels() {
    static constexpr std::array<Kernel, 4> kernels{{
        {"matmul", DType::f32, run_product<float>, true},
        {"matmul", DType::f64, run_product<double>, true},
        {"batched_matmul", DType::f32, run_batched_product<float>, true},
        {"batched_matmul", DType::f64, run_batched_product<double>, true},
    }};
    return kernels;
}

} // namespace gradus::cpu
