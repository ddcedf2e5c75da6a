// gather_along, scatter, scatter_add and their gradients: a line of the index along the axis reads or writes one line of another
// array. Every line has one owner, which goes through it in the order of the index: the same bits for any number of threads.
#include "engine/backend/cpu/index_parts.hpp"

#include <atomic>

namespace gradus::cpu {

namespace {

/// The lines of an index along an axis, and where they begin in arrays of the same rank.
struct Lines {
    const GradusArray& index;
    int axis;
    std::int64_t length, count = 1;

    Lines(const GradusArray& array, double along) : index(array), axis(static_cast<int>(along)), length(array.sizes[axis]) {
        for (int i = 0; i < array.rank; ++i)
            if (i != axis) count *= array.sizes[i];
    }
    std::int64_t start(const GradusArray& of, std::int64_t line) const {
        std::int64_t position = 0;
        for (int i = index.rank - 1; i >= 0; --i) {
            if (i == axis) continue;
            position += line % index.sizes[i] * of.strides[i];
            line /= index.sizes[i];
        }
        return position;
    }
    const std::int32_t* places(std::int64_t line) const {
        return static_cast<const std::int32_t*>(index.data) + start(index, line);
    }
    std::int64_t step() const { return index.strides[axis]; } // elements from one place to the next
};

std::size_t bytes(const GradusArray& array, std::size_t element) { return static_cast<std::size_t>(elements(array)) * element; }

/// For each line, work(places, start in `line_of`, start in `places_of`), where the index holds places of `line_of`.
template <class Work>
GradusStatus over_lines(const GradusCall* call, const Lines& lines, const GradusArray& line_of, const GradusArray& places_of,
                        Work&& work) {
    if (!in_range(lines.index, line_of.sizes[lines.axis])) return GRADUS_BAD_ARGUMENT;
    over_pieces(call, lines.count, lines.length, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t line = from; line < until; ++line)
            work(lines.places(line), lines.start(line_of, line), lines.start(places_of, line));
    });
    return GRADUS_OK;
}

// (x, index) -> x at the index. An output larger than the index is 0 beyond it: (dy, index) -> dsrc of scatter_add.
template <class U> GradusStatus run_gather_along(const GradusCall* call) {
    const GradusArray &x = call->inputs[0], &y = call->outputs[0];
    const Lines lines(call->inputs[1], call->attributes[0]);
    if (elements(y) != elements(lines.index)) std::memset(y.data, 0, bytes(y, sizeof(U)));
    const std::int64_t x_step = x.strides[lines.axis], y_step = y.strides[lines.axis];
    return over_lines(call, lines, x, y, [&](const std::int32_t* place, std::int64_t at_x, std::int64_t at_y) {
        const U* from = in<U>(call, 0) + at_x;
        U* to = out<U>(call, 0) + at_y;
        for (std::int64_t k = 0; k < lines.length; ++k) to[k * y_step] = from[place[k * lines.step()] * x_step];
    });
}

// (x, index, src) -> x with src written onto it, the last of several for one place.
template <class U> GradusStatus run_scatter(const GradusCall* call) {
    const GradusArray &y = call->outputs[0], &source = call->inputs[2];
    const Lines lines(call->inputs[1], call->attributes[0]);
    std::memcpy(y.data, call->inputs[0].data, bytes(y, sizeof(U)));
    const std::int64_t y_step = y.strides[lines.axis], source_step = source.strides[lines.axis];
    return over_lines(call, lines, y, source, [&](const std::int32_t* place, std::int64_t at_y, std::int64_t at_source) {
        const U* from = in<U>(call, 2) + at_source;
        U* to = out<U>(call, 0) + at_y;
        for (std::int64_t k = 0; k < lines.length; ++k) to[place[k * lines.step()] * y_step] = from[k * source_step];
    });
}
// (dy, index) -> dx: dy, but 0 at the index.
template <class U> GradusStatus run_scatter_backward(const GradusCall* call) {
    const GradusArray& dx = call->outputs[0];
    const Lines lines(call->inputs[1], call->attributes[0]);
    std::memcpy(dx.data, call->inputs[0].data, bytes(dx, sizeof(U)));
    const std::int64_t step = dx.strides[lines.axis];
    return over_lines(call, lines, dx, dx, [&](const std::int32_t* place, std::int64_t at, std::int64_t) {
        for (std::int64_t k = 0; k < lines.length; ++k) out<U>(call, 0)[at + place[k * lines.step()] * step] = U{};
    });
}
// (dy, index) -> dsrc: dy at the index for the last entry of each place, else 0.
template <class U> GradusStatus run_scatter_source_backward(const GradusCall* call) {
    const GradusArray &dy = call->inputs[0], &source = call->outputs[0];
    const Lines lines(call->inputs[1], call->attributes[0]);
    const std::int64_t size = dy.sizes[lines.axis], dy_step = dy.strides[lines.axis], step = source.strides[lines.axis];
    if (!in_range(lines.index, size)) return GRADUS_BAD_ARGUMENT;
    std::memset(source.data, 0, bytes(source, sizeof(U)));
    std::atomic<bool> failed{false};
    over_pieces(call, lines.count, std::max(lines.length, size), [&](std::int64_t from, std::int64_t until) {
        const auto taken = scratch<bool>(size);
        if (!taken) return failed.store(true);
        for (std::int64_t line = from; line < until; ++line) {
            const std::int32_t* place = lines.places(line);
            const U* upstream = in<U>(call, 0) + lines.start(dy, line);
            U* to = out<U>(call, 0) + lines.start(source, line);
            std::fill(taken.get(), taken.get() + size, false);
            for (std::int64_t k = lines.length - 1; k >= 0; --k) {
                const std::int64_t at = place[k * lines.step()];
                if (!taken[static_cast<std::size_t>(at)]) to[k * step] = upstream[at * dy_step];
                taken[static_cast<std::size_t>(at)] = true;
            }
        }
    });
    return failed ? GRADUS_FAILED : GRADUS_OK;
}

/// Adds the lines of `source` to the output's at the index, in fp64.
template <class T> GradusStatus add_at(const GradusCall* call, const Lines& lines, const GradusArray& source) {
    const GradusArray& y = call->outputs[0];
    const std::int64_t size = y.sizes[lines.axis], step = y.strides[lines.axis], source_step = source.strides[lines.axis];
    if (!in_range(lines.index, size)) return GRADUS_BAD_ARGUMENT;
    if (lines.length == 0) return GRADUS_OK;
    std::atomic<bool> failed{false};
    over_pieces(call, lines.count, std::max(lines.length, size), [&](std::int64_t from, std::int64_t until) {
        const auto sums = scratch<double>(size);
        if (!sums) return failed.store(true);
        for (std::int64_t line = from; line < until; ++line) {
            const std::int32_t* place = lines.places(line);
            const T* added = static_cast<const T*>(source.data) + lines.start(source, line);
            T* to = out<T>(call, 0) + lines.start(y, line);
            for (std::int64_t j = 0; j < size; ++j) sums[static_cast<std::size_t>(j)] = static_cast<double>(to[j * step]);
            for (std::int64_t k = 0; k < lines.length; ++k)
                sums[static_cast<std::size_t>(place[k * lines.step()])] += static_cast<double>(added[k * source_step]);
            for (std::int64_t j = 0; j < size; ++j) to[j * step] = static_cast<T>(sums[static_cast<std::size_t>(j)]);
        }
    });
    return failed ? GRADUS_FAILED : GRADUS_OK;
}
// (x, index, src) -> x with src added to it.
template <class T> GradusStatus run_scatter_add(const GradusCall* call) {
    std::memcpy(call->outputs[0].data, call->inputs[0].data, bytes(call->outputs[0], sizeof(T)));
    return add_at<T>(call, Lines(call->inputs[1], call->attributes[0]), call->inputs[2]);
}
// (dy, index) -> dx, the sum of dy at the index.
template <class T> GradusStatus run_gather_along_backward(const GradusCall* call) {
    std::memset(call->outputs[0].data, 0, bytes(call->outputs[0], sizeof(T)));
    return add_at<T>(call, Lines(call->inputs[1], call->attributes[0]), call->inputs[0]);
}

template <class U> constexpr std::array<Kernel, 5> moving(DType t) {
    return {{
        {"gather_along", t, run_gather_along<U>},
        {"scatter", t, run_scatter<U>},
        {"scatter_backward", t, run_scatter_backward<U>},
        {"scatter_source_backward", t, run_scatter_source_backward<U>},
        {"scatter_add_source_backward", t, run_gather_along<U>},
    }};
}
template <class T> constexpr std::array<Kernel, 2> adding() {
    return {{
        {"scatter_add", dtype_of<T>, run_scatter_add<T>},
        {"gather_along_backward", dtype_of<T>, run_gather_along_backward<T>},
    }};
}

} // namespace

std::span<const Kernel> indexing_kernels() {
    static constexpr auto kernels =
        joined(moving<std::uint32_t>(DType::f32), moving<std::uint64_t>(DType::f64), moving<std::uint32_t>(DType::i32),
               moving<std::uint16_t>(DType::f16), moving<std::uint16_t>(DType::bf16), moving<std::uint8_t>(DType::boolean),
               adding<float>(), adding<double>());
    return kernels;
}

} // namespace gradus::cpu
