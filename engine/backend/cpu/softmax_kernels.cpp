// softmax_along and log_softmax with their gradients, cross_entropy_with_logits and nll_loss.
#include "engine/backend/cpu/index_parts.hpp"

namespace gradus::cpu {

namespace {

/// `all` from its element `start`, its line `line` on.
template <class T> SoftmaxLines<T> lines_from(SoftmaxLines<T> all, std::int64_t start, std::int64_t line, std::int64_t lines) {
    all.x += start;
    if (all.upstream) all.upstream += start;
    if (all.out) all.out += start;
    if (all.label) all.label += line;
    if (all.lse) all.lse += line;
    if (all.saved_lse) all.saved_lse += line;
    all.lines = lines;
    return all;
}

/// Σ work(lines) over the lines of an array along an axis: rows in pieces, or strips of columns. `all` holds the call's pointers.
template <class T, class Work>
double over_softmax_lines(const GradusCall* call, const Slices& z, SoftmaxLines<T> all, Work&& work) {
    all.length = z.size;
    all.stride = z.inner;
    if (z.inner == 1)
        return sum_over_pieces(call, z.outer, z.size, [&](std::int64_t from, std::int64_t until) {
            return work(lines_from(all, from * z.size, from, until - from));
        });
    const std::int64_t strips = (z.inner + strip_columns - 1) / strip_columns; // of one outer block
    const std::int64_t each = z.size * std::min(z.inner, strip_columns);
    return sum_over_pieces(call, z.outer * strips, each, [&](std::int64_t from, std::int64_t until) {
        double sum = 0;
        for (std::int64_t i = from; i < until; ++i) {
            const std::int64_t block = i / strips, column = i % strips * strip_columns;
            sum += work(lines_from(all, block * z.size * z.inner + column, block * z.inner + column,
                                   std::min(strip_columns, z.inner - column)));
        }
        return sum;
    });
}

// z -> p or y, or (p or y, their gradient) -> dz; attribute 0 is the axis.
template <class T, void (*SoftmaxLoops<T>::*Function)(const SoftmaxLines<T>&)> GradusStatus run_along(const GradusCall* call) {
    if (elements(call->outputs[0]) == 0) return GRADUS_OK;
    SoftmaxLines<T> all;
    all.x = in<T>(call, 0);
    all.upstream = call->input_count > 1 ? in<T>(call, 1) : nullptr;
    all.out = out<T>(call, 0);
    all.streamed = is_streamed<T>(call);
    const auto run = path_of<T>(call).softmax_loops.*Function;
    const Slices slices(call->inputs[0], static_cast<int>(call->attributes[0]));
    over_softmax_lines(call, slices, all, [&](const SoftmaxLines<T>& lines) {
        run(lines);
        return 0.0;
    });
    return GRADUS_OK;
}

/// The labels of a loss of classes: attributes reduction (1: the sum), whether a label is ignored, which.
struct Labels {
    const std::int32_t* label;
    std::int64_t count, counted = 0;
    bool sums, ignores, outside = false;
    std::int32_t ignored;

    Labels(const GradusCall* call, int input, std::int64_t classes)
        : label(in<std::int32_t>(call, input)), count(elements(call->inputs[input])), sums(call->attributes[0] != 0),
          ignores(call->attributes[1] != 0), ignored(ignores ? static_cast<std::int32_t>(call->attributes[2]) : 0) {
        for (std::int64_t i = 0; i < count; ++i) {
            if (passed_over(i)) continue;
            ++counted;
            outside |= label[i] < 0 || label[i] >= classes;
        }
    }
    bool passed_over(std::int64_t i) const { return ignores && label[i] == ignored; }
    double divisor() const { return sums ? 1.0 : static_cast<double>(counted); } // 0 labels have no mean: 0/0
};

/// The axis of the classes: 1, or 0 where there is no other.
Slices classes_of(const GradusArray& z) { return Slices(z, z.rank > 1 ? 1 : 0); }

// (z, label) -> (L, lse); attribute 3 is the smoothing.
template <class T> GradusStatus run_cross_entropy_with_logits(const GradusCall* call) {
    const Slices z = classes_of(call->inputs[0]);
    const Labels labels(call, 1, z.size);
    if (labels.outside) return GRADUS_BAD_ARGUMENT;
    SoftmaxLines<T> all;
    all.x = in<T>(call, 0);
    all.label = labels.label;
    all.ignores = labels.ignores;
    all.ignored = labels.ignored;
    all.smoothing = call->attributes[3];
    all.lse = out<T>(call, 1);
    const double sum = over_softmax_lines(call, z, all, path_of<T>(call).softmax_loops.cross_entropy);
    *out<T>(call, 0) = static_cast<T>(sum / labels.divisor());
    return GRADUS_OK;
}
// (z, lse, label, dL) -> dz
template <class T> GradusStatus run_cross_entropy_with_logits_backward(const GradusCall* call) {
    const Slices z = classes_of(call->inputs[0]);
    const Labels labels(call, 2, z.size);
    if (labels.outside) return GRADUS_BAD_ARGUMENT;
    SoftmaxLines<T> all;
    all.x = in<T>(call, 0);
    all.out = out<T>(call, 0);
    all.label = labels.label;
    all.ignores = labels.ignores;
    all.ignored = labels.ignored;
    all.smoothing = call->attributes[3];
    all.scale = static_cast<double>(*in<T>(call, 3)) / labels.divisor();
    all.saved_lse = in<T>(call, 1);
    over_softmax_lines(call, z, all, [&](const SoftmaxLines<T>& lines) {
        path_of<T>(call).softmax_loops.cross_entropy_backward(lines);
        return 0.0;
    });
    return GRADUS_OK;
}

/// Where the number of label i lies in logp.
std::int64_t place_of(const Slices& logp, const Labels& labels, std::int64_t i) {
    return (i / logp.inner * logp.size + labels.label[i]) * logp.inner + i % logp.inner;
}

// (logp, label) -> L
template <class T> GradusStatus run_nll_loss(const GradusCall* call) {
    const Slices logp = classes_of(call->inputs[0]);
    const Labels labels(call, 1, logp.size);
    if (labels.outside) return GRADUS_BAD_ARGUMENT;
    const double sum = sum_over_pieces(call, labels.count, 1, [&](std::int64_t from, std::int64_t until) {
        double part = 0;
        for (std::int64_t i = from; i < until; ++i)
            if (!labels.passed_over(i)) part -= static_cast<double>(in<T>(call, 0)[place_of(logp, labels, i)]);
        return part;
    });
    *out<T>(call, 0) = static_cast<T>(sum / labels.divisor());
    return GRADUS_OK;
}
// (label, dL) -> dlogp
template <class T> GradusStatus run_nll_loss_backward(const GradusCall* call) {
    const Slices logp = classes_of(call->outputs[0]);
    const Labels labels(call, 0, logp.size);
    if (labels.outside) return GRADUS_BAD_ARGUMENT;
    const T each = static_cast<T>(-static_cast<double>(*in<T>(call, 1)) / labels.divisor());
    std::fill_n(out<T>(call, 0), elements(call->outputs[0]), T(0));
    for (std::int64_t i = 0; i < labels.count; ++i)
        if (!labels.passed_over(i)) out<T>(call, 0)[place_of(logp, labels, i)] = each;
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 8> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"softmax_along", t, run_along<T, &SoftmaxLoops<T>::softmax>},
        {"softmax_along_backward", t, run_along<T, &SoftmaxLoops<T>::softmax_backward>},
        {"log_softmax", t, run_along<T, &SoftmaxLoops<T>::log_softmax>},
        {"log_softmax_backward", t, run_along<T, &SoftmaxLoops<T>::log_softmax_backward>},
        {"cross_entropy_with_logits", t, run_cross_entropy_with_logits<T>},
        {"cross_entropy_with_logits_backward", t, run_cross_entropy_with_logits_backward<T>},
        {"nll_loss", t, run_nll_loss<T>},
        {"nll_loss_backward", t, run_nll_loss_backward<T>},
    }};
}

} // namespace

std::span<const Kernel> softmax_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
