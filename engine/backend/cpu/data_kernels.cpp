#include "engine/backend/cpu/kernel_parts.hpp"

#include <cstring>

namespace gradus::cpu {

namespace {

// (rows of U, index) -> the rows named by index; bytes become numbers times attribute 0.
template <class T> GradusStatus run_gather_bytes(const GradusCall* call) {
    const auto* index = in<std::int32_t>(call, 1);
    const std::int64_t count = elements(call->inputs[1]), available = call->inputs[0].sizes[0];
    const std::int64_t width = elements(call->inputs[0]) / std::max<std::int64_t>(1, available);
    for (std::int64_t i = 0; i < count; ++i) {
        if (index[i] < 0 || index[i] >= available) return GRADUS_BAD_ARGUMENT;
        // The rows lie anywhere in a large array: ask for one while the ones before it are converted.
        if (i + 3 < count && index[i + 3] >= 0 && index[i + 3] < available)
            for (std::int64_t byte = 0; byte < width; byte += 64)
                __builtin_prefetch(in<std::uint8_t>(call, 0) + index[i + 3] * width + byte);
        path_of<T>(call).scale_bytes(in<std::uint8_t>(call, 0) + index[i] * width, out<T>(call, 0) + i * width, width,
                                     static_cast<T>(call->attributes[0]));
    }
    return GRADUS_OK;
}
template <class U> GradusStatus run_gather(const GradusCall* call) {
    const auto* index = in<std::int32_t>(call, 1);
    const std::int64_t count = elements(call->inputs[1]), available = call->inputs[0].sizes[0];
    const std::int64_t width = elements(call->inputs[0]) / std::max<std::int64_t>(1, available);
    for (std::int64_t i = 0; i < count; ++i) {
        if (index[i] < 0 || index[i] >= available) return GRADUS_BAD_ARGUMENT;
        std::memcpy(out<U>(call, 0) + i * width, in<U>(call, 0) + index[i] * width,
                    static_cast<std::size_t>(width) * sizeof(U));
    }
    return GRADUS_OK;
}

/// Whether the rows are of a type. What is widened to fp32 counts as fp32.
template <DType Of> bool rows_of(const GradusCall& call) {
    const auto from = static_cast<DType>(call.inputs[0].dtype);
    return from == Of || (Of == DType::f32 && is_half(from));
}

} // namespace

std::span<const Kernel> data_kernels() {
    static constexpr DType bytes[]{DType::u8};
    constexpr bool any_strides = false, any_types = false;
    static constexpr std::array<Kernel, 7> kernels{{
        {"gather", DType::f32, run_gather<std::uint32_t>, any_strides, any_types, rows_of<DType::f32>},
        {"gather", DType::f32, run_gather_bytes<float>, any_strides, any_types, rows_of<DType::u8>, bytes},
        {"gather", DType::f64, run_gather<std::uint64_t>, any_strides, any_types, rows_of<DType::f64>},
        {"gather", DType::f64, run_gather_bytes<double>, any_strides, any_types, rows_of<DType::u8>, bytes},
        {"gather", DType::i32, run_gather<std::uint32_t>, any_strides, any_types, rows_of<DType::i32>},
        {"gather", DType::f16, run_gather<std::uint16_t>, any_strides, any_types, rows_of<DType::f16>},
        {"gather", DType::bf16, run_gather<std::uint16_t>, any_strides, any_types, rows_of<DType::bf16>},
    }};
    return kernels;
}

} // namespace gradus::cpu
