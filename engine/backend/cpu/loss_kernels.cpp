#include "engine/backend/cpu/kernel_parts.hpp"

namespace gradus::cpu {

namespace {

template <class T> Rows<T> rows_of(const GradusCall* call) {
    Rows<T> rows;
    rows.rows = call->inputs[0].sizes[0];
    rows.columns = call->inputs[0].rank > 1 ? call->inputs[0].sizes[1] : 1;
    return rows;
}

bool labels_in_range(const GradusCall* call, std::int64_t classes) {
    const auto* label = in<std::int32_t>(call, 1);
    for (std::int64_t i = 0; i < elements(call->inputs[1]); ++i)
        if (label[i] < 0 || label[i] >= classes) return false;
    return true;
}

// (z, label) -> (p, loss)
template <class T> GradusStatus run_softmax_cross_entropy(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    if (!labels_in_range(call, rows.columns)) return GRADUS_BAD_ARGUMENT;
    rows.z = in<T>(call, 0);
    rows.label = in<std::int32_t>(call, 1);
    rows.out = out<T>(call, 0);
    *out<T>(call, 1) = static_cast<T>(path_of<T>(call).softmax_cross_entropy(rows) / static_cast<double>(rows.rows));
    return GRADUS_OK;
}
// (p, label) -> dz
template <class T> GradusStatus run_softmax_cross_entropy_backward(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.p = in<T>(call, 0);
    rows.label = in<std::int32_t>(call, 1);
    rows.out = out<T>(call, 0);
    path_of<T>(call).softmax_cross_entropy_backward(rows);
    return GRADUS_OK;
}
// z -> p
template <class T> GradusStatus run_softmax(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.z = in<T>(call, 0);
    rows.out = out<T>(call, 0);
    path_of<T>(call).softmax(rows);
    return GRADUS_OK;
}
// (p, dp) -> dz
template <class T> GradusStatus run_softmax_backward(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.p = in<T>(call, 0);
    rows.target = in<T>(call, 1);
    rows.out = out<T>(call, 0);
    path_of<T>(call).softmax_backward(rows);
    return GRADUS_OK;
}
// (p, label) -> loss
template <class T> GradusStatus run_cross_entropy(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    if (!labels_in_range(call, rows.columns)) return GRADUS_BAD_ARGUMENT;
    rows.p = in<T>(call, 0);
    rows.label = in<std::int32_t>(call, 1);
    *out<T>(call, 0) = static_cast<T>(path_of<T>(call).cross_entropy(rows) / static_cast<double>(rows.rows));
    return GRADUS_OK;
}
// (p, label) -> dp
template <class T> GradusStatus run_cross_entropy_backward(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    if (!labels_in_range(call, rows.columns)) return GRADUS_BAD_ARGUMENT;
    rows.p = in<T>(call, 0);
    rows.label = in<std::int32_t>(call, 1);
    rows.out = out<T>(call, 0);
    path_of<T>(call).cross_entropy_backward(rows);
    return GRADUS_OK;
}
// (w, a) -> L = ½ · Σ a · w², in double precision and in order, so that no path differs from another.
template <class T> GradusStatus run_quadratic(const GradusCall* call) {
    double sum = 0;
    for (std::int64_t i = 0; i < elements(call->inputs[0]); ++i) {
        const auto w = static_cast<double>(in<T>(call, 0)[i]);
        sum += static_cast<double>(in<T>(call, 1)[i]) * w * w;
    }
    *out<T>(call, 0) = static_cast<T>(0.5 * sum);
    return GRADUS_OK;
}
// (z, target) -> (p, loss)
template <class T> GradusStatus run_binary_cross_entropy(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.z = in<T>(call, 0);
    rows.target = in<T>(call, 1);
    rows.out = out<T>(call, 0);
    *out<T>(call, 1) = static_cast<T>(path_of<T>(call).binary_cross_entropy(rows) /
                                      static_cast<double>(rows.rows * rows.columns));
    return GRADUS_OK;
}
// (p, target) -> dz
template <class T> GradusStatus run_binary_cross_entropy_backward(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.p = in<T>(call, 0);
    rows.target = in<T>(call, 1);
    rows.out = out<T>(call, 0);
    path_of<T>(call).binary_cross_entropy_backward(rows);
    return GRADUS_OK;
}
// (z, target) -> loss
template <class T> GradusStatus run_mean_squared_error(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.z = in<T>(call, 0);
    rows.target = in<T>(call, 1);
    *out<T>(call, 0) =
        static_cast<T>(path_of<T>(call).mean_squared_error(rows) / static_cast<double>(rows.rows * rows.columns));
    return GRADUS_OK;
}
// (z, target) -> dz
template <class T> GradusStatus run_mean_squared_error_backward(const GradusCall* call) {
    Rows<T> rows = rows_of<T>(call);
    rows.z = in<T>(call, 0);
    rows.target = in<T>(call, 1);
    rows.out = out<T>(call, 0);
    path_of<T>(call).mean_squared_error_backward(rows);
    return GRADUS_OK;
}

/// Whether one entry is larger than every other; a tie and a NaN are not.
template <class T> bool is_largest(const T* z, std::int64_t columns, std::int64_t at) {
    bool largest = z[at] == z[at]; // not a NaN, which has no rival where there is one class
    for (std::int64_t j = 0; j < columns; ++j) largest &= j == at || z[at] > z[j];
    return largest;
}

// (z, label) -> share of rows whose largest entry is at the label; ties and NaN count as wrong.
template <class T> GradusStatus run_accuracy(const GradusCall* call) {
    const Rows<T> rows = rows_of<T>(call);
    const auto* label = in<std::int32_t>(call, 1);
    if (!labels_in_range(call, rows.columns)) return GRADUS_BAD_ARGUMENT;
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < rows.rows; ++i) right += is_largest(in<T>(call, 0) + i * rows.columns, rows.columns, label[i]);
    *out<T>(call, 0) = static_cast<T>(static_cast<double>(right) / static_cast<double>(rows.rows));
    return GRADUS_OK;
}

// (z, targets, one of a row 1 and the others 0) -> share of rows whose largest entry is at the 1; ties and NaN count as wrong.
template <class T> GradusStatus run_one_hot_accuracy(const GradusCall* call) {
    const Rows<T> rows = rows_of<T>(call);
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < rows.rows; ++i) {
        const T* target = in<T>(call, 1) + i * rows.columns;
        const std::int64_t label = std::max_element(target, target + rows.columns) - target;
        right += is_largest(in<T>(call, 0) + i * rows.columns, rows.columns, label);
    }
    *out<T>(call, 0) = static_cast<T>(static_cast<double>(right) / static_cast<double>(rows.rows));
    return GRADUS_OK;
}

// (z, target 0 or 1) -> share of entries on the target's side of the threshold (attribute 0).
template <class T> GradusStatus run_binary_accuracy(const GradusCall* call) {
    const std::int64_t count = elements(call->inputs[0]);
    const T* z = in<T>(call, 0);
    const T* target = in<T>(call, 1);
    const T threshold = static_cast<T>(call->attributes[0]);
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < count; ++i) right += target[i] > T(0.5) ? z[i] > threshold : z[i] < threshold;
    *out<T>(call, 0) = static_cast<T>(static_cast<double>(right) / static_cast<double>(count));
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 14> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"softmax_cross_entropy", t, run_softmax_cross_entropy<T>},
        {"softmax_cross_entropy_backward", t, run_softmax_cross_entropy_backward<T>},
        {"binary_cross_entropy", t, run_binary_cross_entropy<T>},
        {"binary_cross_entropy_backward", t, run_binary_cross_entropy_backward<T>},
        {"mean_squared_error", t, run_mean_squared_error<T>},
        {"mean_squared_error_backward", t, run_mean_squared_error_backward<T>},
        {"accuracy", t, run_accuracy<T>},
        {"one_hot_accuracy", t, run_one_hot_accuracy<T>},
        {"binary_accuracy", t, run_binary_accuracy<T>},
        {"softmax", t, run_softmax<T>},
        {"softmax_backward", t, run_softmax_backward<T>},
        {"cross_entropy", t, run_cross_entropy<T>},
        {"cross_entropy_backward", t, run_cross_entropy_backward<T>},
        {"quadratic", t, run_quadratic<T>},
    }};
}

} // namespace

std::span<const Kernel> loss_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
