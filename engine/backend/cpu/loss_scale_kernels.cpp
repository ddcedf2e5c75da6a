#include "engine/backend/cpu/kernel_parts.hpp"

#include <atomic>
#include <cmath>

namespace gradus::cpu {

namespace {

/// Whether an exponent of all ones is among them: infinities and NaNs have it.
template <class Bits> bool any_above(const Bits* bits, std::int64_t count, Bits all_ones) {
    Bits found = 0;
    for (std::int64_t i = 0; i < count; ++i) found |= static_cast<Bits>((bits[i] & all_ones) == all_ones);
    return found != 0;
}
bool any_set(const std::uint8_t* flags, std::int64_t count) {
    std::uint8_t found = 0;
    for (std::int64_t i = 0; i < count; ++i) found |= flags[i];
    return found != 0;
}

GradusStatus run_has_non_finite(const GradusCall* call) {
    std::atomic<bool> found{false}; // a yes of any piece: their order does not matter
    for (int i = 0; i < call->input_count; ++i) {
        const auto dtype = static_cast<DType>(call->inputs[i].dtype);
        if (dtype != DType::f32 && dtype != DType::f64 && dtype != DType::boolean) return GRADUS_UNSUPPORTED;
        over_pieces(call, elements(call->inputs[i]), 1, [&](std::int64_t from, std::int64_t until) {
            const bool here = dtype == DType::f32   ? any_above(in<std::uint32_t>(call, i) + from, until - from, 0x7f80'0000u)
                              : dtype == DType::f64 ? any_above(in<std::uint64_t>(call, i) + from, until - from,
                                                                std::uint64_t{0x7ff} << 52)
                                                    : any_set(in<std::uint8_t>(call, i) + from, until - from);
            if (here) found.store(true, std::memory_order_relaxed);
        });
    }
    *out<std::uint8_t>(call, 0) = found.load() ? 1 : 0;
    return GRADUS_OK;
}

template <class T> GradusStatus run_unscale(const GradusCall* call) {
    const T factor = static_cast<T>(1 / static_cast<double>(*in<T>(call, 1)));
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) out<T>(call, 0)[i] = factor * in<T>(call, 0)[i];
    });
    return GRADUS_OK;
}

template <class T> GradusStatus run_update_loss_scale(const GradusCall* call) {
    const T scale = *in<T>(call, 0);
    const std::int32_t steps = *in<std::int32_t>(call, 1);
    T& new_scale = *out<T>(call, 0);
    std::int32_t& new_steps = *out<std::int32_t>(call, 1);
    if (*in<std::uint8_t>(call, 2) != 0) {
        new_scale = scale * static_cast<T>(call->attributes[1]);
        new_steps = 0;
    } else if (steps + 1 == static_cast<std::int32_t>(call->attributes[2])) {
        const T grown = scale * static_cast<T>(call->attributes[0]);
        new_scale = std::isfinite(grown) ? grown : scale;
        new_steps = 0;
    } else {
        new_scale = scale;
        new_steps = steps + 1;
    }
    return GRADUS_OK;
}

} // namespace

std::span<const Kernel> loss_scale_kernels() {
    static constexpr DType flags_too[]{DType::f32, DType::f64, DType::f16, DType::bf16, DType::boolean};
    static constexpr std::array kernels{Kernel{"has_non_finite", DType::boolean, run_has_non_finite, false, false, nullptr, flags_too},
                                        Kernel{"unscale", DType::f32, run_unscale<float>},
                                        Kernel{"unscale", DType::f64, run_unscale<double>},
                                        Kernel{"update_loss_scale", DType::f32, run_update_loss_scale<float>},
                                        Kernel{"update_loss_scale", DType::f64, run_update_loss_scale<double>}};
    return kernels;
}

} // namespace gradus::cpu
