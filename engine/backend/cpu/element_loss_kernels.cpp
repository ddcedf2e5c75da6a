#include "engine/backend/cpu/kernel_parts.hpp"

namespace gradus::cpu {

namespace {

/// What the sum of a loss is divided by, from attribute 0: 0 the elements, 1 nothing.
double mean_or_sum(const GradusCall* call) {
    return call->attributes[0] != 0 ? 1.0 : static_cast<double>(elements(call->inputs[0]));
}
/// Of kl_div: 0 the examples (none are not divided by), 1 nothing, 2 the elements.
double of_examples(const GradusCall* call) {
    if (call->attributes[0] == 2) return static_cast<double>(elements(call->inputs[0]));
    return call->attributes[0] != 0 ? 1.0 : std::max(1.0, static_cast<double>(call->inputs[0].sizes[0]));
}

// (x, target) -> L; attribute 1 is smooth_l1_loss's beta.
template <class T, double (*ElementLossLoops<T>::*Function)(const ElementLoss<T>&), double (*Divisor)(const GradusCall*)>
GradusStatus run_loss(const GradusCall* call) {
    const double sum = sum_over_pieces(call, elements(call->inputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        ElementLoss<T> part;
        part.x = in<T>(call, 0) + from;
        part.target = in<T>(call, 1) + from;
        part.count = until - from;
        part.beta = call->attributes[1];
        return (path_of<T>(call).element_loss_loops.*Function)(part);
    });
    *out<T>(call, 0) = static_cast<T>(sum / Divisor(call));
    return GRADUS_OK;
}

// (x, target, dL) -> dx, or (x, dL) -> the gradient of a target that is not read.
template <class T, void (*ElementLossLoops<T>::*Function)(const ElementLoss<T>&), double (*Divisor)(const GradusCall*)>
GradusStatus run_backward(const GradusCall* call) {
    const int upstream = call->input_count - 1;
    const double scale = static_cast<double>(*in<T>(call, upstream)) / Divisor(call);
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        ElementLoss<T> part;
        part.x = in<T>(call, 0) + from;
        part.target = upstream > 1 ? in<T>(call, 1) + from : nullptr;
        part.out = out<T>(call, 0) + from;
        part.count = until - from;
        part.scale = scale;
        part.beta = call->attributes[1];
        (path_of<T>(call).element_loss_loops.*Function)(part);
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 10> typed() {
    using Loops = ElementLossLoops<T>;
    constexpr DType t = dtype_of<T>;
    return {{
        {"bce", t, run_loss<T, &Loops::bce, mean_or_sum>},
        {"bce_backward", t, run_backward<T, &Loops::bce_backward, mean_or_sum>},
        {"bce_target_backward", t, run_backward<T, &Loops::bce_target_backward, mean_or_sum>},
        {"kl_div", t, run_loss<T, &Loops::kl_div, of_examples>},
        {"kl_div_backward", t, run_backward<T, &Loops::kl_div_backward, of_examples>},
        {"kl_div_target_backward", t, run_backward<T, &Loops::kl_div_target_backward, of_examples>},
        {"l1_loss", t, run_loss<T, &Loops::smooth_l1, mean_or_sum>}, // beta 0
        {"l1_loss_backward", t, run_backward<T, &Loops::smooth_l1_backward, mean_or_sum>},
        {"smooth_l1_loss", t, run_loss<T, &Loops::smooth_l1, mean_or_sum>},
        {"smooth_l1_loss_backward", t, run_backward<T, &Loops::smooth_l1_backward, mean_or_sum>},
    }};
}

} // namespace

std::span<const Kernel> element_loss_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
