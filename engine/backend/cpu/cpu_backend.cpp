#include "engine/backend/cpu/cpu_backend.hpp"

#include "engine/backend/cpu/path.hpp"
#include "engine/core/dtype.hpp"
#include "engine/core/error.hpp"
#include "engine/core/worker_pool.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

struct GradusContext {
    const gradus::cpu::Path* path;
    gradus::WorkerPool pool;
    std::string device;
    GradusContext(const gradus::cpu::Path* chosen, int threads) : path(chosen), pool(threads) {}
};

namespace gradus {

namespace {

using cpu::Path;
using cpu::PathOf;
using cpu::ProductPiece;
using cpu::Range;
using cpu::Rows;

template <class T> const PathOf<T>& path_of(const GradusCall* call) {
    if constexpr (std::is_same_v<T, float>) return call->context->path->f32;
    else return call->context->path->f64;
}

template <class T> T* out(const GradusCall* call, int i) { return static_cast<T*>(call->outputs[i].data); }
template <class T> const T* in(const GradusCall* call, int i) { return static_cast<const T*>(call->inputs[i].data); }

std::int64_t elements(const GradusArray& array) {
    std::int64_t product = 1;
    for (int i = 0; i < array.rank; ++i) product *= array.sizes[i];
    return product;
}

/// Multiply-adds below which a second thread costs more than it saves.
constexpr std::int64_t parallel_product = 1'000'000;
/// Elements per piece of a memory-bound op.
constexpr std::int64_t piece_elements = 16'384;

/// Rows and columns of a result below which a piece of a product is mostly copying.
constexpr std::int64_t least_rows = 14, panel_columns = 32;

/// Into how many ranges of rows and of columns a product's result is cut, one piece per thread.
struct Cut {
    int rows = 1, columns = 1;
};

/// Every piece copies its rows of A, where A is not read in place, and its columns of B. So the cut that leaves the
/// fewest of both is taken; of fewer pieces than threads only where the result is too small for more.
Cut cut_for(int threads, std::int64_t rows, std::int64_t columns, bool copies_rows) {
    Cut best;
    std::int64_t least = 0;
    for (int r = 1; r <= threads && (r == 1 || rows >= r * least_rows); ++r) {
        const auto most = static_cast<int>(std::max<std::int64_t>(1, (columns + panel_columns - 1) / panel_columns));
        const Cut cut{r, std::min(threads / r, most)};
        const std::int64_t copied = (copies_rows ? rows / cut.rows : 0) + columns / cut.columns;
        const int pieces = cut.rows * cut.columns, best_pieces = best.rows * best.columns;
        if (pieces > best_pieces || (pieces == best_pieces && copied < least) || r == 1) best = cut, least = copied;
    }
    return best;
}

// C = op(A) · op(B); attributes: transpose A, transpose B.
template <class T> GradusStatus run_product(const GradusCall* call) {
    const GradusArray &a = call->inputs[0], &b = call->inputs[1], &c = call->outputs[0];
    const bool transpose_a = call->attributes[0] != 0, transpose_b = call->attributes[1] != 0;
    ProductPiece<T> whole;
    whole.a = in<T>(call, 0);
    whole.b = in<T>(call, 1);
    whole.c = out<T>(call, 0);
    whole.a_row = a.strides[transpose_a ? 1 : 0];
    whole.a_column = a.strides[transpose_a ? 0 : 1];
    whole.b_row = b.strides[transpose_b ? 1 : 0];
    whole.b_column = b.strides[transpose_b ? 0 : 1];
    whole.c_row = c.strides[0];
    const std::int64_t rows = c.sizes[0], columns = c.sizes[1];
    whole.depth = a.sizes[transpose_a ? 0 : 1];
    whole.row_until = rows;
    whole.column_until = columns;
    const auto& path = path_of<T>(call);
    WorkerPool& pool = call->context->pool;
    if (pool.threads() == 1 || rows * columns * whole.depth < parallel_product) {
        path.product(whole);
        return GRADUS_OK;
    }
    const Cut cut = cut_for(pool.threads(), rows, columns, whole.a_row != 1);
    pool.parallel_for(cut.rows * cut.columns, [&](int piece) {
        const int row = piece / cut.columns, column = piece % cut.columns;
        const std::int64_t panels = (columns + panel_columns - 1) / panel_columns;
        ProductPiece<T> part = whole;
        part.row_from = rows * row / cut.rows;
        part.row_until = rows * (row + 1) / cut.rows;
        part.column_from = panels * column / cut.columns * panel_columns;
        part.column_until = std::min(columns, panels * (column + 1) / cut.columns * panel_columns);
        path.product(part);
    });
    return GRADUS_OK;
}

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

template <class T, void (*PathOf<T>::*Function)(const Range<T>&)> GradusStatus run_elementwise(const GradusCall* call) {
    Range<T> range;
    range.x = in<T>(call, 0);
    range.y = call->input_count > 1 ? in<T>(call, 1) : nullptr;
    range.z = call->input_count > 2 ? in<T>(call, 2) : nullptr;
    range.out = out<T>(call, 0);
    range.out2 = call->output_count > 1 ? out<T>(call, 1) : nullptr;
    range.scale = static_cast<T>(call->attributes[0]);
    range.momentum = static_cast<T>(call->attributes[1]);
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

struct Entry {
    std::string_view op;
    DType dtype; // of output 0
    GradusKernel kernel;
};

template <class T> constexpr std::array<Entry, 32> entries() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"matmul", t, run_product<T>},
        {"add_bias", t, run_add_bias<T>},
        {"sum_rows", t, run_sum_rows<T>},
        {"relu", t, run_elementwise<T, &PathOf<T>::relu>},
        {"relu_backward", t, run_elementwise<T, &PathOf<T>::relu_backward>},
        {"tanh", t, run_elementwise<T, &PathOf<T>::tanh>},
        {"tanh_backward", t, run_elementwise<T, &PathOf<T>::tanh_backward>},
        {"sigmoid", t, run_elementwise<T, &PathOf<T>::sigmoid>},
        {"sigmoid_backward", t, run_elementwise<T, &PathOf<T>::sigmoid_backward>},
        {"gelu", t, run_elementwise<T, &PathOf<T>::gelu>},
        {"gelu_backward", t, run_elementwise<T, &PathOf<T>::gelu_backward>},
        {"silu", t, run_elementwise<T, &PathOf<T>::silu>},
        {"silu_backward", t, run_elementwise<T, &PathOf<T>::silu_backward>},
        {"step", t, run_elementwise<T, &PathOf<T>::step>},
        {"step_backward", t, run_elementwise<T, &PathOf<T>::step_backward>},
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
        {"multiply", t, run_elementwise<T, &PathOf<T>::multiply>},
        {"add", t, run_elementwise<T, &PathOf<T>::add>},
        {"sgd", t, run_elementwise<T, &PathOf<T>::sgd>},
    }};
}

GradusKernel find_kernel(std::string_view op, const GradusCall& call) {
    const auto dtype = static_cast<DType>(call.outputs[0].dtype);
    const auto input = static_cast<DType>(call.inputs[0].dtype);
    if (op == "gather") {
        if (input == DType::u8 && dtype == DType::f32) return run_gather_bytes<float>;
        if (input == DType::u8 && dtype == DType::f64) return run_gather_bytes<double>;
        if (input == DType::f32 && dtype == DType::f32) return run_gather<float>;
        if (input == DType::f64 && dtype == DType::f64) return run_gather<double>;
        if (input == DType::i32 && dtype == DType::i32) return run_gather<std::int32_t>;
        return nullptr;
    }
    if (op == "momentum")
        return dtype == DType::f32   ? run_elementwise<float, &PathOf<float>::momentum>
               : dtype == DType::f64 ? run_elementwise<double, &PathOf<double>::momentum>
                                     : nullptr;
    static constexpr auto f32 = entries<float>();
    static constexpr auto f64 = entries<double>();
    for (const Entry& entry : f32)
        if (entry.op == op && entry.dtype == dtype) return entry.kernel;
    for (const Entry& entry : f64)
        if (entry.op == op && entry.dtype == dtype) return entry.kernel;
    return nullptr;
}

/// Rows that are not contiguous are refused here rather than misread; only the product takes any strides.
bool contiguous(const GradusArray& array) {
    std::int64_t expected = 1;
    for (int axis = array.rank - 1; axis >= 0; --axis) {
        if (array.sizes[axis] != 1 && array.strides[axis] != expected) return false;
        expected *= array.sizes[axis];
    }
    return true;
}

GradusStatus find(GradusContext* context, const char* op, const GradusCall* call, GradusKernel* kernel,
                  const char** implementation) {
    const bool product = std::string_view(op) == "matmul";
    for (int i = 0; i < call->input_count; ++i)
        if (!product && !contiguous(call->inputs[i])) return GRADUS_UNSUPPORTED;
    *kernel = find_kernel(op, *call);
    *implementation = context->path->name;
    return *kernel ? GRADUS_OK : GRADUS_UNSUPPORTED;
}

bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

const Path* choose_path(std::string_view isa, char* reason, int32_t size) {
    if (isa.empty()) return has_avx512() ? &cpu::avx512_path() : has_avx2() ? &cpu::avx2_path() : &cpu::baseline_path();
    if (isa == "baseline") return &cpu::baseline_path();
    const bool known = isa == "avx2" || isa == "avx512";
    if (isa == "avx2" && has_avx2()) return &cpu::avx2_path();
    if (isa == "avx512" && has_avx512()) return &cpu::avx512_path();
    std::snprintf(reason, static_cast<std::size_t>(size),
                  known ? "this processor has no %.*s; use --isa baseline" : "isa must be baseline, avx2 or avx512, not '%.*s'",
                  static_cast<int>(isa.size()), isa.data());
    return nullptr;
}

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const auto at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
    return "CPU";
}

GradusStatus open(const GradusOpenOptions* options, GradusContext** context, char* reason, int32_t reason_size) {
    const Path* path = choose_path(options->isa ? options->isa : "", reason, reason_size);
    if (!path) return GRADUS_UNSUPPORTED;
    const int threads =
        options->threads > 0 ? options->threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    try {
        *context = new GradusContext(path, threads);
        (*context)->device = processor_name();
    } catch (const std::exception& error) {
        std::snprintf(reason, static_cast<std::size_t>(reason_size), "%s", error.what());
        return GRADUS_FAILED;
    }
    return GRADUS_OK;
}

} // namespace

const GradusBackend& cpu_backend() {
    static constexpr GradusBackend backend{
        GRADUS_BACKEND_VERSION,
        "cpu",
        open,
        [](GradusContext* context) { delete context; },
        find,
        [](const GradusContext* context) -> int32_t { return context->pool.threads(); },
        [](const GradusContext* context) { return context->path->name; },
        [](const GradusContext* context) { return context->device.c_str(); },
    };
    return backend;
}

} // namespace gradus
