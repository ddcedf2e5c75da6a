#include "engine/backend/cpu/planes.hpp"
#include "engine/backend/cpu/reduce_walk.hpp"

#include <limits>

namespace gradus::cpu {

namespace {

/// finish(result, sum) for every sum of x over the reduced axes.
template <class T, class Finish> void sums(const GradusCall* call, const ReducedAxes& axes, Finish&& finish) {
    const ReducePlan plan = plan_of(axes);
    const ReduceLoops<T>& loops = path_of<T>(call).reduce;
    const T* x = in<T>(call, 0);
    reduce(
        call, plan, 0.0,
        [&](double* sum, std::int64_t offset, std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t) {
            if (plan.columns) loops.sum_columns(x + offset, rows, row, columns, sum);
            else *sum += loops.sum_run(x + offset, rows, row);
        },
        [](double& sum, double other) { sum += other; }, finish);
}

template <class T> GradusStatus run_sum(const GradusCall* call) {
    sums<T>(call, reduced_axes(call->inputs[0], call->attributes),
            [y = out<T>(call, 0)](std::int64_t i, double sum) { y[i] = static_cast<T>(sum); });
    return GRADUS_OK;
}
template <class T> GradusStatus run_sum_to(const GradusCall* call) {
    sums<T>(call, reduced_to(call->inputs[0], call->attributes),
            [y = out<T>(call, 0)](std::int64_t i, double sum) { y[i] = static_cast<T>(sum); });
    return GRADUS_OK;
}
template <class T> GradusStatus run_mean(const GradusCall* call) {
    const ReducedAxes axes = reduced_axes(call->inputs[0], call->attributes);
    const auto count = static_cast<double>(axes.reduced.elements());
    sums<T>(call, axes, [y = out<T>(call, 0), count](std::int64_t i, double sum) { y[i] = static_cast<T>(sum / count); });
    return GRADUS_OK;
}

/// The means over the reduced axes, in fp64.
template <class T> std::vector<double> means(const GradusCall* call, const ReducedAxes& axes) {
    std::vector<double> out(static_cast<std::size_t>(axes.kept.elements()));
    const auto count = static_cast<double>(axes.reduced.elements());
    sums<T>(call, axes, [&](std::int64_t i, double sum) { out[static_cast<std::size_t>(i)] = sum / count; });
    return out;
}

template <class T> GradusStatus run_var(const GradusCall* call) {
    const ReducedAxes axes = reduced_axes(call->inputs[0], call->attributes);
    const std::vector<double> mean = means<T>(call, axes);
    const double freedom = std::max(0.0, static_cast<double>(axes.reduced.elements()) - call->attributes[8]);
    const ReducePlan plan = plan_of(axes);
    const ReduceLoops<T>& loops = path_of<T>(call).reduce;
    const T* x = in<T>(call, 0);
    T* y = out<T>(call, 0);
    reduce(
        call, plan, 0.0,
        [&](double* sum, std::int64_t offset, std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t result) {
            const double* const of_result = mean.data() + result;
            if (plan.columns) loops.square_columns(x + offset, rows, row, columns, of_result, sum);
            else *sum += loops.square_run(x + offset, rows, row, *of_result);
        },
        [](double& sum, double other) { sum += other; },
        [&](std::int64_t i, double sum) { y[i] = static_cast<T>(sum / freedom); });
    return GRADUS_OK;
}

template <class T, bool Largest> GradusStatus run_extreme(const GradusCall* call) {
    const ReducePlan plan = plan_of(reduced_axes(call->inputs[0], call->attributes));
    const ReduceLoops<T>& loops = path_of<T>(call).reduce;
    const auto columns_loop = Largest ? loops.max_columns : loops.min_columns;
    const auto run_loop = Largest ? loops.max_run : loops.min_run;
    const T* x = in<T>(call, 0);
    T* y = out<T>(call, 0);
    const auto join = [](T& best, T other) {
        if ((Largest ? other > best : other < best) || other != other) best = other;
    };
    constexpr T infinity = std::numeric_limits<T>::infinity();
    reduce(
        call, plan, Largest ? -infinity : infinity,
        [&](T* best, std::int64_t offset, std::int64_t rows, std::int64_t row, std::int64_t columns, std::int64_t) {
            if (plan.columns) columns_loop(x + offset, rows, row, columns, best);
            else join(*best, run_loop(x + offset, rows, row));
        },
        join, [&](std::int64_t i, T best) { y[i] = best; });
    return GRADUS_OK;
}

/// Calls work(offset) for every reduced element of one result, in row-major order; `base` is the first one's place.
template <class Work> void over_reduced(const AxisList& reduced, std::int64_t base, Work&& work) {
    const AxisList outer = reduced.without_last();
    const auto last = static_cast<std::size_t>(std::max(0, reduced.rank - 1));
    const std::int64_t count = reduced.rank > 0 ? reduced.sizes[last] : 1, stride = reduced.rank > 0 ? reduced.strides[last] : 0;
    for (std::int64_t i = 0; i < outer.elements(); ++i) {
        const std::int64_t line = base + outer.offset(i);
        for (std::int64_t j = 0; j < count; ++j) work(line + j * stride);
    }
}

template <class T, bool Largest> void positions_of_extremes(const GradusCall* call) {
    const ReducedAxes axes = reduced_axes(call->inputs[0], call->attributes);
    const T* x = in<T>(call, 0);
    auto* y = out<std::int32_t>(call, 0);
    over_pieces(call, axes.kept.elements(), axes.reduced.elements(), [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
            const std::int64_t base = axes.kept.offset(i);
            T best = x[base];
            std::int64_t at = 0, position = 0;
            over_reduced(axes.reduced, base, [&](std::int64_t offset) {
                const T value = x[offset];
                if ((Largest ? value > best : value < best) || (value != value && best == best)) best = value, at = position;
                ++position;
            });
            y[i] = static_cast<std::int32_t>(at);
        }
    });
}
template <bool Largest> GradusStatus run_position(const GradusCall* call) {
    switch (static_cast<DType>(call->inputs[0].dtype)) {
    case DType::f32: positions_of_extremes<float, Largest>(call); return GRADUS_OK;
    case DType::f64: positions_of_extremes<double, Largest>(call); return GRADUS_OK;
    default: return GRADUS_UNSUPPORTED;
    }
}

/// A result of a reduction under the axes of what was reduced: stride 0 along the reduced ones.
Stretched unreduced(const void* data, std::int64_t element_bytes, const GradusArray& x, const double* attributes) {
    Stretched operand;
    operand.data = data;
    operand.element_bytes = element_bytes;
    const int count = static_cast<int>(attributes[0]);
    std::array<bool, GRADUS_MAX_RANK> reduced{};
    for (int i = 0; i < count; ++i) reduced[static_cast<std::size_t>(attributes[2 + i])] = true;
    std::int64_t stride = 1;
    for (int axis = x.rank - 1; axis >= 0; --axis) {
        if (count == 0 || reduced[static_cast<std::size_t>(axis)]) continue;
        operand.strides[static_cast<std::size_t>(axis)] = stride;
        stride *= x.sizes[axis];
    }
    return operand;
}

// dy -> dx = dy for every element that the sum took
template <class T> GradusStatus run_sum_backward(const GradusCall* call) {
    const GradusArray& dx = call->outputs[0];
    const Stretched dy = unreduced(call->inputs[0].data, sizeof(T), dx, call->attributes);
    over_planes(call, dx, {&dy, 1}, path_of<T>(call).elementwise.copy);
    return GRADUS_OK;
}
// dy -> dx = dy / n
template <class T> GradusStatus run_mean_backward(const GradusCall* call) {
    const GradusArray& dx = call->outputs[0];
    const Stretched dy = unreduced(call->inputs[0].data, sizeof(T), dx, call->attributes);
    const auto count = static_cast<double>(reduced_axes(dx, call->attributes).reduced.elements());
    over_planes(call, dx, {&dy, 1}, path_of<T>(call).elementwise.divided, count);
    return GRADUS_OK;
}
// dy -> dx = dy for every element that sum_to took
template <class T> GradusStatus run_sum_to_backward(const GradusCall* call) {
    over_planes(call, path_of<T>(call).elementwise.copy);
    return GRADUS_OK;
}

// (x, dy) -> dx = dy · 2 (x - mean x) / (n - c)
template <class T> GradusStatus run_var_backward(const GradusCall* call) {
    const GradusArray &x = call->inputs[0], &dx = call->outputs[0];
    const ReducedAxes axes = reduced_axes(x, call->attributes);
    const std::vector<double> mean = means<T>(call, axes);
    const double freedom = std::max(0.0, static_cast<double>(axes.reduced.elements()) - call->attributes[8]);
    std::vector<double> scale(mean.size());
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = 2.0 * static_cast<double>(in<T>(call, 1)[i]) / freedom;
    const std::array operands{stretched(x, dx), unreduced(mean.data(), sizeof(double), x, call->attributes),
                              unreduced(scale.data(), sizeof(double), x, call->attributes)};
    over_planes(call, dx, operands, path_of<T>(call).elementwise.centered);
    return GRADUS_OK;
}

// (x, y, dy) -> dx: dy in equal shares to the elements that are y. As in PyTorch, a NaN leaves no element its share: 0 / 0.
template <class T> GradusStatus run_extreme_backward(const GradusCall* call) {
    const ReducedAxes axes = reduced_axes(call->inputs[0], call->attributes);
    const T *x = in<T>(call, 0), *y = in<T>(call, 1), *dy = in<T>(call, 2);
    T* dx = out<T>(call, 0);
    over_pieces(call, axes.kept.elements(), axes.reduced.elements(), [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
            const std::int64_t base = axes.kept.offset(i);
            std::int64_t alike = 0;
            over_reduced(axes.reduced, base, [&](std::int64_t at) { alike += x[at] == y[i]; });
            const T count = static_cast<T>(alike);
            over_reduced(axes.reduced, base, [&](std::int64_t at) { dx[at] = (x[at] == y[i] ? dy[i] : T(0)) / count; });
        }
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 11> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"sum", t, run_sum<T>, true},
        {"sum_to", t, run_sum_to<T>, true},
        {"mean", t, run_mean<T>, true},
        {"var", t, run_var<T>, true},
        {"max", t, run_extreme<T, true>, true},
        {"min", t, run_extreme<T, false>, true},
        {"sum_backward", t, run_sum_backward<T>},
        {"mean_backward", t, run_mean_backward<T>},
        {"sum_to_backward", t, run_sum_to_backward<T>, true},
        {"var_backward", t, run_var_backward<T>},
        {"extreme_backward", t, run_extreme_backward<T>},
    }};
}

} // namespace

std::span<const Kernel> reduce_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

std::span<const Kernel> position_kernels() {
    static constexpr std::array<Kernel, 2> kernels{{
        {"argmax", DType::i32, run_position<true>, true, false, nullptr, floating_types},
        {"argmin", DType::i32, run_position<false>, true, false, nullptr, floating_types},
    }};
    return kernels;
}

} // namespace gradus::cpu
