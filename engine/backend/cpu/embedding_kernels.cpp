// Whole slices named by an index (embedding, index_select), and one_hot. A gradient row is summed by one owner in the order of
// the index, in fp64: the same bits for any number of threads.
#include "engine/backend/cpu/index_parts.hpp"

namespace gradus::cpu {

namespace {

/// y (outer, count, inner) of x (outer, available, inner).
template <class U> GradusStatus take(const GradusCall* call, const Slices& x) {
    const auto* index = in<std::int32_t>(call, 1);
    if (!in_range(call->inputs[1], x.size)) return GRADUS_BAD_ARGUMENT;
    const std::int64_t count = elements(call->inputs[1]);
    over_pieces(call, x.outer * count, x.inner, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t row = from; row < until; ++row) {
            const U* picked = in<U>(call, 0) + (row / count * x.size + index[row % count]) * x.inner;
            if (x.inner == 1) out<U>(call, 0)[row] = *picked;
            else std::memcpy(out<U>(call, 0) + row * x.inner, picked, static_cast<std::size_t>(x.inner) * sizeof(U));
        }
    });
    return GRADUS_OK;
}
// (table, index) -> rows of the table.
template <class U> GradusStatus run_embedding(const GradusCall* call) { return take<U>(call, Slices(call->inputs[0], 0)); }
// (x, index) -> slices of x; attribute 0 is the axis.
template <class U> GradusStatus run_index_select(const GradusCall* call) {
    return take<U>(call, Slices(call->inputs[0], static_cast<int>(call->attributes[0])));
}

/// For every place 0 … size - 1, which entries of an index name it, in their order: entries[first[place]] up to
/// entries[first[place + 1]], which is the next one's first.
struct Namers {
    std::unique_ptr<std::int64_t[]> first, entries;

    Namers(const GradusArray& index, std::int64_t size, std::int64_t passed_over)
        : first(scratch<std::int64_t>(size + 2)), entries(scratch<std::int64_t>(elements(index))) {
        if (!made()) return;
        const auto* place = static_cast<const std::int32_t*>(index.data);
        const std::int64_t count = elements(index);
        std::int64_t* next = first.get() + 1; // while the entries are put in: where the next one of a place goes
        std::fill(first.get(), next + size + 1, 0);
        for (std::int64_t i = 0; i < count; ++i)
            if (place[i] != passed_over) ++next[place[i] + 1];
        for (std::int64_t j = 0; j < size; ++j) next[j + 1] += next[j];
        for (std::int64_t i = 0; i < count; ++i)
            if (place[i] != passed_over) entries[static_cast<std::size_t>(next[place[i]]++)] = i;
    }
    bool made() const { return first && entries; }
};

/// dx (outer, size, inner): each slice the sum of the slices of dy (outer, count, inner) that the index put there.
template <class T> GradusStatus sum_at(const GradusCall* call, const Slices& dx, std::int64_t passed_over) {
    if (!in_range(call->inputs[1], dx.size)) return GRADUS_BAD_ARGUMENT;
    const std::int64_t count = elements(call->inputs[1]);
    const Namers namers(call->inputs[1], dx.size, passed_over);
    if (!namers.made()) return GRADUS_FAILED;
    over_pieces(call, dx.outer * dx.size, dx.inner, [&](std::int64_t from, std::int64_t until) {
        constexpr std::int64_t width = 256; // columns summed at once, on the stack
        double sums[width];
        for (std::int64_t row = from; row < until; ++row) {
            const std::int64_t first = namers.first[static_cast<std::size_t>(row % dx.size)];
            const std::int64_t last = namers.first[static_cast<std::size_t>(row % dx.size + 1)];
            const T* dy = in<T>(call, 0) + row / dx.size * count * dx.inner;
            T* to = out<T>(call, 0) + row * dx.inner;
            for (std::int64_t column = 0; column < dx.inner; column += width) {
                const std::int64_t columns = std::min(width, dx.inner - column);
                std::fill(sums, sums + columns, 0.0);
                for (std::int64_t i = first; i < last; ++i) {
                    const T* added = dy + namers.entries[static_cast<std::size_t>(i)] * dx.inner + column;
                    for (std::int64_t j = 0; j < columns; ++j) sums[j] += static_cast<double>(added[j]);
                }
                for (std::int64_t j = 0; j < columns; ++j) to[column + j] = static_cast<T>(sums[j]);
            }
        }
    });
    return GRADUS_OK;
}
// (dy, index) -> dtable; attributes: whether there is a padding index, which.
template <class T> GradusStatus run_embedding_backward(const GradusCall* call) {
    const std::int64_t padding = call->attributes[0] != 0 ? static_cast<std::int64_t>(call->attributes[1]) : -1;
    return sum_at<T>(call, Slices(call->outputs[0], 0), padding);
}
// (dy, index) -> dx; attribute 0 is the axis.
template <class T> GradusStatus run_index_select_backward(const GradusCall* call) {
    return sum_at<T>(call, Slices(call->outputs[0], static_cast<int>(call->attributes[0])), -1);
}

// index -> 1 where it points, else 0.
template <class T> GradusStatus run_one_hot(const GradusCall* call) {
    const GradusArray& y = call->outputs[0];
    const std::int64_t classes = y.sizes[y.rank - 1];
    const auto* index = in<std::int32_t>(call, 0);
    if (!in_range(call->inputs[0], classes)) return GRADUS_BAD_ARGUMENT;
    over_pieces(call, elements(call->inputs[0]), classes, [&](std::int64_t from, std::int64_t until) {
        std::fill(out<T>(call, 0) + from * classes, out<T>(call, 0) + until * classes, T(0));
        for (std::int64_t i = from; i < until; ++i) out<T>(call, 0)[i * classes + index[i]] = T(1);
    });
    return GRADUS_OK;
}

template <class U> constexpr std::array<Kernel, 2> moving(DType t) {
    return {{{"embedding", t, run_embedding<U>}, {"index_select", t, run_index_select<U>}}};
}
template <class T> constexpr std::array<Kernel, 3> adding() {
    return {{
        {"embedding_backward", dtype_of<T>, run_embedding_backward<T>},
        {"index_select_backward", dtype_of<T>, run_index_select_backward<T>},
        {"one_hot", dtype_of<T>, run_one_hot<T>},
    }};
}

} // namespace

std::span<const Kernel> embedding_kernels() {
    static constexpr auto kernels =
        joined(moving<std::uint32_t>(DType::f32), moving<std::uint64_t>(DType::f64), moving<std::uint32_t>(DType::i32),
               moving<std::uint16_t>(DType::f16), moving<std::uint16_t>(DType::bf16), moving<std::uint8_t>(DType::boolean),
               adding<float>(), adding<double>());
    return kernels;
}

} // namespace gradus::cpu
