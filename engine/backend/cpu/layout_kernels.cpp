#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/backend/cpu/strided.hpp"

#include <cstring>

namespace gradus::cpu {

namespace {

/// A row-major array seen from one of its axes: (outer, size, inner).
struct Around {
    std::int64_t outer = 1, size = 1, inner = 1;
    Around(const GradusArray& array, double axis_number) {
        const int axis = static_cast<int>(axis_number);
        for (int i = 0; i < axis; ++i) outer *= array.sizes[i];
        for (int i = axis + 1; i < array.rank; ++i) inner *= array.sizes[i];
        size = array.sizes[axis];
    }
};

// x of any strides -> its elements one after another.
template <class U> GradusStatus run_contiguous(const GradusCall* call) {
    over_pieces(call, elements(call->inputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        copy_elements(call->inputs[0], from, until, out<U>(call, 0) + from);
    });
    return GRADUS_OK;
}

// x1, x2, … -> y; attribute 0 is the axis.
template <class U> GradusStatus run_concat(const GradusCall* call) {
    const Around y(call->outputs[0], call->attributes[0]);
    over_pieces(call, y.outer, y.size * y.inner, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
            U* to = out<U>(call, 0) + i * y.size * y.inner;
            for (int k = 0; k < call->input_count; ++k) {
                const Around x(call->inputs[k], call->attributes[0]);
                const std::int64_t width = x.size * x.inner;
                copy_elements(call->inputs[k], i * width, (i + 1) * width, to);
                to += width;
            }
        }
    });
    return GRADUS_OK;
}

// x -> y1, y2, …; attribute 0 is the axis.
template <class U> GradusStatus run_split(const GradusCall* call) {
    const Around x(call->inputs[0], call->attributes[0]);
    over_pieces(call, x.outer, x.size * x.inner, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
            std::int64_t first = i * x.size * x.inner;
            for (int k = 0; k < call->output_count; ++k) {
                const Around y(call->outputs[k], call->attributes[0]);
                const std::int64_t width = y.size * y.inner;
                copy_elements(call->inputs[0], first, first + width, out<U>(call, k) + i * width);
                first += width;
            }
        }
    });
    return GRADUS_OK;
}

// dy -> dx, zero but at the slice; attributes: axis, from, until, step.
template <class U> GradusStatus run_slice_backward(const GradusCall* call) {
    const Around dx(call->outputs[0], call->attributes[0]), dy(call->inputs[0], call->attributes[0]);
    const auto first = static_cast<std::int64_t>(call->attributes[1]), step = static_cast<std::int64_t>(call->attributes[3]);
    over_pieces(call, dx.outer, dx.size * dx.inner, [&](std::int64_t from, std::int64_t until) {
        std::memset(out<U>(call, 0) + from * dx.size * dx.inner, 0,
                    static_cast<std::size_t>((until - from) * dx.size * dx.inner) * sizeof(U)); // 0 in every type
        for (std::int64_t i = from; i < until; ++i)
            for (std::int64_t k = 0; k < dy.size; ++k) {
                const std::int64_t row = (i * dy.size + k) * dy.inner;
                copy_elements(call->inputs[0], row, row + dy.inner,
                              out<U>(call, 0) + (i * dx.size + first + k * step) * dx.inner);
            }
    });
    return GRADUS_OK;
}

template <class U> constexpr std::array<Kernel, 4> moving(DType t) {
    return {{
        {"contiguous", t, run_contiguous<U>, true, true},
        {"concat", t, run_concat<U>, true, true},
        {"split", t, run_split<U>, true, true},
        {"slice_backward", t, run_slice_backward<U>, true, true},
    }};
}

} // namespace

std::span<const Kernel> layout_kernels() {
    using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
    static constexpr auto kernels = joined(
        moving<uint32_t>(DType::f32), moving<uint64_t>(DType::f64), moving<uint32_t>(DType::i32), moving<uint64_t>(DType::i64),
        moving<uint8_t>(DType::u8), moving<uint16_t>(DType::f16), moving<uint16_t>(DType::bf16), moving<uint8_t>(DType::boolean));
    return kernels;
}

} // namespace gradus::cpu
