#include "engine/backend/cpu/kernel_parts.hpp"

#include <cmath>
#include <memory>
#include <new>

namespace gradus::cpu {

namespace {

/// base^exponent by squaring: the same bits on every machine.
double whole_power(double base, std::int64_t exponent) {
    double out = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1) out *= base;
    return out;
}

template <class T> GradusStatus over_update(const GradusCall* call, const Update<T>& whole, void (*run)(const Update<T>&)) {
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        Update<T> piece = whole;
        piece.from = from;
        piece.until = until;
        run(piece);
    });
    return GRADUS_OK;
}

/// Parameter, gradient and states as the ops have them; attributes 0 and 1 are lr and what the states keep of themselves.
template <class T> Update<T> update_of(const GradusCall* call, int states) {
    Update<T> u;
    u.w = in<T>(call, 0);
    u.g = in<T>(call, 1);
    u.out_w = out<T>(call, 0);
    if (states > 0) u.state = in<T>(call, 2), u.out_state = out<T>(call, 1);
    if (states > 1) u.state2 = in<T>(call, 3), u.out_state2 = out<T>(call, 2);
    u.rate = static_cast<T>(call->attributes[0]);
    u.beta = static_cast<T>(call->attributes[1]);
    u.rest = static_cast<T>(1 - call->attributes[1]);
    return u;
}

template <class T> GradusStatus run_momentum_lr(const GradusCall* call) {
    return over_update(call, update_of<T>(call, 1), path_of<T>(call).update.momentum_lr);
}
template <class T> GradusStatus run_nesterov(const GradusCall* call) {
    return over_update(call, update_of<T>(call, 1), path_of<T>(call).update.nesterov);
}
template <class T> GradusStatus run_rmsprop(const GradusCall* call) {
    Update<T> u = update_of<T>(call, 1);
    u.eps = static_cast<T>(call->attributes[2]);
    return over_update(call, u, path_of<T>(call).update.rmsprop);
}

/// Attributes lr, beta1, beta2, eps, and for adamw decay. The corrections of the first steps are made in double precision.
template <class T, bool Decays> GradusStatus run_adam(const GradusCall* call) {
    const double lr = call->attributes[0], beta1 = call->attributes[1], beta2 = call->attributes[2];
    const std::int64_t step = *static_cast<const std::int32_t*>(call->inputs[4].data);
    if (step < 1) return GRADUS_BAD_ARGUMENT;
    Update<T> u = update_of<T>(call, 2);
    u.beta2 = static_cast<T>(beta2);
    u.rest2 = static_cast<T>(1 - beta2);
    u.rate = static_cast<T>(lr / (1 - whole_power(beta1, step)));
    u.root = static_cast<T>(1 / std::sqrt(1 - whole_power(beta2, step)));
    u.eps = static_cast<T>(call->attributes[3]);
    if (Decays) u.keep = static_cast<T>(1 - lr * call->attributes[4]);
    return over_update(call, u, path_of<T>(call).update.adam);
}

GradusStatus run_count_step(const GradusCall* call) {
    *static_cast<std::int32_t*>(call->outputs[0].data) = *static_cast<const std::int32_t*>(call->inputs[0].data) + 1;
    return GRADUS_OK;
}

/// g + decay · W: the loop computes keep · w + rate · g of what it calls w and g.
template <class T> GradusStatus run_l2_gradient(const GradusCall* call) {
    return over_update(call, update_of<T>(call, 0), path_of<T>(call).update.add_share);
}

template <class T> GradusStatus run_accumulate(const GradusCall* call) {
    Update<T> u = update_of<T>(call, 0);
    u.keep = static_cast<T>(call->attributes[1]);
    if (u.keep != 0) return over_update(call, u, path_of<T>(call).update.add_share);
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) { // what G holds is not read
        for (std::int64_t i = from; i < until; ++i) u.out_w[i] = u.rate * u.g[i];
    });
    return GRADUS_OK;
}

// --- clipping ------------------------------------------------------------------------------------------------

template <class T> GradusStatus run_global_norm(const GradusCall* call) {
    double sum = 0;
    for (int i = 0; i < call->input_count; ++i) {
        const std::int64_t count = elements(call->inputs[i]), pieces = (count + piece_elements - 1) / piece_elements;
        const std::unique_ptr<double[]> parts(new (std::nothrow) double[static_cast<std::size_t>(pieces)]);
        if (!parts) return GRADUS_FAILED;
        over_pieces(call, count, 1, [&](std::int64_t from, std::int64_t until) {
            parts[static_cast<std::size_t>(from / piece_elements)] =
                path_of<T>(call).update.sum_of_squares(in<T>(call, i) + from, until - from);
        });
        for (std::int64_t piece = 0; piece < pieces; ++piece) sum += parts[static_cast<std::size_t>(piece)];
    }
    *out<T>(call, 0) = static_cast<T>(std::sqrt(sum));
    return GRADUS_OK;
}

template <class T> GradusStatus run_clip_by_norm(const GradusCall* call) {
    const double share = call->attributes[0] / (static_cast<double>(*in<T>(call, 1)) + 1e-6);
    const T factor = static_cast<T>(!(share >= 1) ? share : 1.0); // a NaN stays
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) out<T>(call, 0)[i] = factor * in<T>(call, 0)[i];
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 9> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"momentum_lr", t, run_momentum_lr<T>},
        {"nesterov", t, run_nesterov<T>},
        {"rmsprop", t, run_rmsprop<T>},
        {"adam", t, run_adam<T, false>},
        {"adamw", t, run_adam<T, true>},
        {"l2_gradient", t, run_l2_gradient<T>},
        {"accumulate", t, run_accumulate<T>},
        {"global_norm", t, run_global_norm<T>},
        {"clip_by_norm", t, run_clip_by_norm<T>},
    }};
}

} // namespace

std::span<const Kernel> update_kernels() {
    static constexpr auto kernels = [] {
        constexpr auto floating = both(typed<float>(), typed<double>());
        std::array<Kernel, floating.size() + 1> all{};
        std::copy(floating.begin(), floating.end(), all.begin());
        all.back() = {"count_step", DType::i32, run_count_step};
        return all;
    }();
    return kernels;
}

} // namespace gradus::cpu
