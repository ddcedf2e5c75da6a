// grouped_matmul and the gradient of its matrices: rows of one group that lie together are one matrix product.
#include "engine/backend/cpu/kernel_parts.hpp"

#include <vector>

namespace gradus::cpu {

namespace {

constexpr std::int64_t parallel_product = 1'000'000; ///< multiply-adds below which a second thread costs more than it saves
constexpr std::int64_t most_rows = 128;              ///< of a piece, so that one large group keeps every thread busy

/// Rows [from, until) of one group.
struct Run {
    std::int64_t from = 0, until = 0, group = 0;
};

/// The rows' groups as runs; false where one is outside [0, groups).
bool find_runs(const std::int32_t* group, std::int64_t rows, std::int64_t groups, std::int64_t most, std::vector<Run>& runs) {
    for (std::int64_t i = 0; i < rows; ++i) {
        if (group[i] < 0 || group[i] >= groups) return false;
        if (runs.empty() || runs.back().group != group[i] || i - runs.back().from >= most) runs.push_back({i, i, group[i]});
        runs.back().until = i + 1;
    }
    return true;
}

template <class Work> void over(WorkerPool& pool, std::int64_t count, std::int64_t multiply_adds, Work&& work) {
    if (pool.threads() == 1 || multiply_adds < parallel_product)
        for (std::int64_t i = 0; i < count; ++i) work(static_cast<int>(i));
    else pool.parallel_for(static_cast<int>(count), work);
}

// y_i = x_i · op(W_g(i)); attribute 0: W is stored transposed. Every y_in is one chain in the order of k, however it is cut.
template <class T> GradusStatus run_grouped(const GradusCall* call) {
    const GradusArray &x = call->inputs[0], &w = call->inputs[1], &y = call->outputs[0];
    const bool transposed = call->attributes[0] != 0;
    const std::int64_t rows = x.sizes[0], depth = x.sizes[1], columns = y.sizes[1];
    std::vector<Run> runs;
    if (!find_runs(in<std::int32_t>(call, 2), rows, w.sizes[0], most_rows, runs)) return GRADUS_BAD_ARGUMENT;
    over(call->context->pool, static_cast<std::int64_t>(runs.size()), rows * depth * columns, [&](int piece) {
        const Run& run = runs[static_cast<std::size_t>(piece)];
        ProductPiece<T> part;
        part.a = in<T>(call, 0) + run.from * depth;
        part.b = in<T>(call, 1) + run.group * depth * columns;
        part.c = out<T>(call, 0) + run.from * columns;
        part.a_row = depth, part.a_column = 1;
        part.b_row = transposed ? 1 : columns, part.b_column = transposed ? depth : 1;
        part.c_row = columns, part.row_until = run.until - run.from, part.column_until = columns, part.depth = depth;
        path_of<T>(call).product(part);
    });
    return GRADUS_OK;
}

// ∂W_g = a_gᵀ · b_g over the rows of group g; a (M, R), b (M, C) -> (G, R, C). A group is one thread's: its runs in their
// order.
template <class T> GradusStatus run_weights(const GradusCall* call) {
    const GradusArray &a = call->inputs[0], &dw = call->outputs[0];
    const std::int64_t rows = a.sizes[0], groups = dw.sizes[0], height = dw.sizes[1], width = dw.sizes[2];
    std::vector<Run> runs;
    if (!find_runs(in<std::int32_t>(call, 2), rows, groups, rows, runs)) return GRADUS_BAD_ARGUMENT;
    over(call->context->pool, groups, rows * height * width, [&](int group) {
        ProductPiece<T> part;
        part.c = out<T>(call, 0) + group * height * width;
        part.a_row = 1, part.a_column = height;
        part.b_row = width, part.b_column = 1;
        part.c_row = width, part.row_until = height, part.column_until = width;
        for (const Run& run : runs) {
            if (run.group != group) continue;
            part.a = in<T>(call, 0) + run.from * height;
            part.b = in<T>(call, 1) + run.from * width;
            part.depth = run.until - run.from;
            path_of<T>(call).product(part);
            part.onto = true;
        }
        if (!part.onto) std::fill_n(part.c, height * width, T(0));
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 2> typed() {
    return {{{"grouped_matmul", dtype_of<T>, run_grouped<T>}, {"grouped_matmul_weights", dtype_of<T>, run_weights<T>}}};
}

} // namespace

std::span<const Kernel> grouped_product_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
