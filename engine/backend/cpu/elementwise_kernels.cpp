#include "engine/backend/cpu/kernel_parts.hpp"

namespace gradus::cpu {

namespace {

/// Runs an element-wise loop over all elements of output 0, in pieces where it is large.
template <class T> GradusStatus over_elements(const GradusCall* call, Range<T> range, void (*run)(const Range<T>&)) {
    const std::int64_t count = elements(call->outputs[0]);
    WorkerPool& pool = call->context->pool;
    if (pool.threads() == 1 || count < 2 * piece_elements) {
        range.until = count;
        run(range);
        return GRADUS_OK;
    }
    const std::int64_t pieces = (count + piece_elements - 1) / piece_elements;
    pool.parallel_for(static_cast<int>(pieces), [&](int piece) {
        Range<T> part = range;
        part.from = piece * piece_elements;
        part.until = std::min(count, part.from + piece_elements);
        run(part);
    });
    return GRADUS_OK;
}

/// The same for a result that goes past the caches: made some at a time, in a place that stays in them.
template <class T> GradusStatus over_streamed_elements(const GradusCall* call, const Range<T>& range, void (*run)(const Range<T>&)) {
    constexpr std::int64_t part = 1024;
    over_pieces(call, elements(call->outputs[0]), 1, [&](std::int64_t from, std::int64_t until) {
        alignas(64) T room[part];
        for (; from < until; from += part) {
            Range<T> some = range;
            some.until = std::min(part, until - from);
            some.x += from;
            if (some.y) some.y += from;
            some.out = room;
            run(some);
            path_of<T>(call).stream(room, range.out + from, some.until);
        }
        stores_in_order();
    });
    return GRADUS_OK;
}

/// `Streams`: the function itself writes past the caches.
template <class T, void (*PathOf<T>::*Function)(const Range<T>&), bool Streams = false>
GradusStatus run_elementwise(const GradusCall* call) {
    Range<T> range;
    range.x = in<T>(call, 0);
    range.y = call->input_count > 1 ? in<T>(call, 1) : nullptr;
    range.z = call->input_count > 2 ? in<T>(call, 2) : nullptr;
    range.out = out<T>(call, 0);
    range.out2 = call->output_count > 1 ? out<T>(call, 1) : nullptr;
    range.scale = static_cast<T>(call->attributes[0]);
    range.momentum = static_cast<T>(call->attributes[1]);
    range.streamed = Streams && is_streamed<T>(call);
    if (!Streams && is_streamed<T>(call) && !range.z) return over_streamed_elements(call, range, path_of<T>(call).*Function);
    return over_elements(call, range, path_of<T>(call).*Function);
}

template <class T> GradusStatus run_add_bias(const GradusCall* call) {
    path_of<T>(call).add_bias(in<T>(call, 0), in<T>(call, 1), out<T>(call, 0), call->outputs[0].sizes[0],
                              call->outputs[0].sizes[1]);
    return GRADUS_OK;
}

template <class T> GradusStatus run_sum_rows(const GradusCall* call) {
    path_of<T>(call).sum_rows(in<T>(call, 0), out<T>(call, 0), call->inputs[0].sizes[0], call->inputs[0].sizes[1]);
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 16> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"relu", t, run_elementwise<T, &PathOf<T>::relu>},
        {"relu_backward", t, run_elementwise<T, &PathOf<T>::relu_backward>},
        {"tanh", t, run_elementwise<T, &PathOf<T>::tanh>},
        {"tanh_backward", t, run_elementwise<T, &PathOf<T>::tanh_backward>},
        {"sigmoid", t, run_elementwise<T, &PathOf<T>::sigmoid>},
        {"sigmoid_backward", t, run_elementwise<T, &PathOf<T>::sigmoid_backward>},
        {"gelu", t, run_elementwise<T, &PathOf<T>::gelu, true>},
        {"gelu_backward", t, run_elementwise<T, &PathOf<T>::gelu_backward>},
        {"silu", t, run_elementwise<T, &PathOf<T>::silu>},
        {"silu_backward", t, run_elementwise<T, &PathOf<T>::silu_backward>},
        {"step", t, run_elementwise<T, &PathOf<T>::step>},
        {"step_backward", t, run_elementwise<T, &PathOf<T>::step_backward>},
        {"sgd", t, run_elementwise<T, &PathOf<T>::sgd>},
        {"momentum", t, run_elementwise<T, &PathOf<T>::momentum>},
        {"add_bias", t, run_add_bias<T>},
        {"sum_rows", t, run_sum_rows<T>},
    }};
}

} // namespace

std::span<const Kernel> elementwise_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
