#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/backend/cpu/strided.hpp"
#include "engine/core/half.hpp"

namespace gradus::cpu {

namespace {

template <class T> constexpr bool is_half_type = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

/// Rounded once: what comes between is exact.
template <class To, class From> To converted(From x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (is_half_type<From>) return static_cast<To>(static_cast<float>(x));
    else if constexpr (is_half_type<To> && !std::is_same_v<From, float>) return To(static_cast<double>(x));
    else return static_cast<To>(x);
}

template <class To, class From> GradusStatus run(const GradusCall* call) {
    const GradusArray& x = call->inputs[0];
    const From* const base = in<From>(call, 0);
    To* const y = out<To>(call, 0);
    over_pieces(call, elements(x), 1, [&](std::int64_t from, std::int64_t until) {
        over_runs(x, from, until, [&](std::int64_t position, std::int64_t step, std::int64_t flat, std::int64_t count) {
            if (step == 1)
                for (std::int64_t i = 0; i < count; ++i) y[flat + i] = converted<To>(base[position + i]);
            else
                for (std::int64_t i = 0; i < count; ++i) y[flat + i] = converted<To>(base[position + i * step]);
        });
    });
    return GRADUS_OK;
}

template <class To> GradusStatus run_cast(const GradusCall* call) {
    switch (static_cast<DType>(call->inputs[0].dtype)) {
    case DType::f32: return run<To, float>(call);
    case DType::f64: return run<To, double>(call);
    case DType::f16: return run<To, half>(call);
    case DType::bf16: return run<To, bfloat16>(call);
    case DType::i32: return run<To, std::int32_t>(call);
    case DType::boolean: return run<To, bool>(call);
    case DType::i64:
    case DType::u8: break;
    }
    return GRADUS_UNSUPPORTED;
}

template <class To> constexpr Kernel cast_to() { return {"cast", dtype_of<To>, run_cast<To>, true, true, nullptr, number_types}; }

} // namespace

std::span<const Kernel> cast_kernels() {
    static constexpr std::array kernels{cast_to<float>(), cast_to<double>(), cast_to<half>(), cast_to<bfloat16>()};
    return kernels;
}

} // namespace gradus::cpu
