#include "engine/backend/cpu/half_kernels.hpp"

#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/backend/cpu/strided.hpp"
#include "engine/core/half.hpp"

#include <new>

namespace gradus::cpu {

namespace {

template <class H> void widen(const GradusCall* call, const GradusArray& from, float* to) {
    const H* const base = static_cast<const H*>(from.data);
    over_pieces(call, elements(from), 1, [&](std::int64_t first, std::int64_t last) {
        over_runs(from, first, last, [&](std::int64_t position, std::int64_t step, std::int64_t flat, std::int64_t count) {
            if (step == 1)
                for (std::int64_t i = 0; i < count; ++i) to[flat + i] = static_cast<float>(base[position + i]);
            else
                for (std::int64_t i = 0; i < count; ++i) to[flat + i] = static_cast<float>(base[position + i * step]);
        });
    });
}

template <class H> void round_to(const GradusCall* call, const float* from, const GradusArray& to) {
    H* const target = static_cast<H*>(to.data);
    over_pieces(call, elements(to), 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) target[i] = H(from[i]);
    });
}

bool halves(const GradusArray& array) { return is_half(static_cast<DType>(array.dtype)); }

constexpr std::int64_t line = 16; ///< floats of 64 bytes, to which every widened array is aligned
std::int64_t floats_for(const GradusArray& array) { return halves(array) ? (elements(array) + line - 1) / line * line : 0; }

/// The fp32 array that stands for one of 16 bits.
GradusArray wide(const GradusArray& array, float* data) {
    GradusArray out = array;
    out.data = data;
    out.dtype = static_cast<std::int32_t>(DType::f32);
    std::int64_t stride = 1;
    for (int axis = array.rank - 1; axis >= 0; --axis) {
        out.strides[axis] = stride;
        stride *= array.sizes[axis];
    }
    return out;
}

} // namespace

GradusStatus run_in_fp32(const GradusCall* call) {
    std::int64_t floats = 0;
    for (int i = 0; i < call->input_count; ++i) floats += floats_for(call->inputs[i]);
    for (int i = 0; i < call->output_count; ++i) floats += floats_for(call->outputs[i]);
    float* next = call->context->widened.at_least(floats);
    if (!next) return GRADUS_FAILED;
    GradusCall inner = *call;
    inner.inner = nullptr;
    for (int i = 0; i < call->input_count; ++i) {
        const GradusArray& array = call->inputs[i];
        if (!halves(array)) continue;
        if (array.dtype == static_cast<std::int32_t>(DType::f16)) widen<half>(call, array, next);
        else widen<bfloat16>(call, array, next);
        inner.inputs[i] = wide(array, next);
        next += floats_for(array);
    }
    for (int i = 0; i < call->output_count; ++i) {
        if (!halves(call->outputs[i])) continue;
        inner.outputs[i] = wide(call->outputs[i], next);
        next += floats_for(call->outputs[i]);
    }
    const GradusStatus status = call->inner(&inner);
    for (int i = 0; i < call->output_count && status == GRADUS_OK; ++i) {
        const GradusArray& array = call->outputs[i];
        if (!halves(array)) continue;
        const float* const computed = static_cast<const float*>(inner.outputs[i].data);
        if (array.dtype == static_cast<std::int32_t>(DType::f16)) round_to<half>(call, computed, array);
        else round_to<bfloat16>(call, computed, array);
    }
    call->context->widened.trim();
    return status;
}

float* WidenedMemory::at_least(std::int64_t floats) {
    if (floats <= size_ && data_) return data_.get();
    data_.reset(); // before the larger one is asked for
    size_ = 0;
    data_.reset(static_cast<float*>(
        ::operator new(static_cast<std::size_t>(floats > 0 ? floats : 1) * sizeof(float), alignment, std::nothrow)));
    if (data_) size_ = floats;
    return data_.get();
}

void WidenedMemory::trim() {
    constexpr std::int64_t kept = (16 << 20) / static_cast<std::int64_t>(sizeof(float));
    if (size_ <= kept) return;
    data_.reset();
    size_ = 0;
}

} // namespace gradus::cpu
