#include "engine/trace/derive/tensor_statistics.hpp"

#include "engine/core/error.hpp"
#include "engine/core/half.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace gradus {

namespace {

template <class T, class Visit> void visit_typed(const Tensor& tensor, const Visit& visit) {
    const T* values = tensor.data<T>();
    for (Dim i = 0, n = tensor.elements(); i < n; ++i) visit(values[i]);
}

/// Calls `visit` with every value in its own type, so that narrow ones are not widened in memory.
template <class Visit> void visit_values(const Tensor& tensor, const Visit& visit) {
    if (!tensor.defined()) throw ShapeError("statistics need a tensor's contents, but only its name is kept");
    if (!tensor.contiguous()) {
        for (Dim i = 0; i < tensor.elements(); ++i) visit(tensor.at(i));
        return;
    }
    switch (tensor.dtype()) {
    case DType::f32: return visit_typed<float>(tensor, visit);
    case DType::f64: return visit_typed<double>(tensor, visit);
    case DType::i32: return visit_typed<std::int32_t>(tensor, visit);
    case DType::i64: return visit_typed<std::int64_t>(tensor, visit);
    case DType::u8:
    case DType::boolean: return visit_typed<std::uint8_t>(tensor, visit);
    case DType::f16: return visit_typed<half>(tensor, visit);
    case DType::bf16: return visit_typed<bfloat16>(tensor, visit);
    }
}

template <class T> double quantile_as(const Tensor& tensor, double q) {
    std::vector<T> magnitudes;
    magnitudes.reserve(static_cast<std::size_t>(tensor.elements()));
    visit_values(tensor, [&](auto value) {
        const double v = static_cast<double>(value);
        if (std::isfinite(v)) magnitudes.push_back(static_cast<T>(std::abs(v)));
    });
    if (magnitudes.empty()) return 0;
    const auto n = static_cast<double>(magnitudes.size());
    const auto rank = static_cast<std::size_t>(std::clamp(std::ceil(q * n), 1.0, n)) - 1;
    std::nth_element(magnitudes.begin(), magnitudes.begin() + static_cast<std::ptrdiff_t>(rank), magnitudes.end());
    return static_cast<double>(magnitudes[rank]);
}

} // namespace

double magnitude_quantile(const Tensor& tensor, double q) {
    // Bytes and floats are exact as floats; that halves what the selection moves.
    const bool narrow = size_of(tensor.dtype()) < 4 || tensor.dtype() == DType::f32;
    return narrow ? quantile_as<float>(tensor, q) : quantile_as<double>(tensor, q);
}

TensorStatistics statistics_of(const Tensor& tensor, int bins) {
    if (bins < 1) throw ArgumentError("a histogram has at least one bin");
    TensorStatistics out;
    out.count = tensor.elements();
    bool any = false;
    visit_values(tensor, [&](auto value) {
        const double v = static_cast<double>(value);
        if (std::isnan(v)) {
            ++out.nans;
        } else if (std::isinf(v)) {
            ++out.infinities;
        } else {
            out.zeros += v == 0;
            out.least = any ? std::min(out.least, v) : v;
            out.greatest = any ? std::max(out.greatest, v) : v;
            any = true;
        }
    });
    const double largest = std::max(std::abs(out.least), std::abs(out.greatest));
    out.clip = magnitude_quantile(tensor, clip_quantile);
    if (out.clip == 0) out.clip = largest;
    out.outlier = out.clip + (largest - out.clip) / 2;
    out.high = largest;
    out.low = out.has_negative() ? -largest : 0;
    out.bins.assign(static_cast<std::size_t>(bins), 0);
    const bool both = out.has_negative();
    visit_values(tensor, [&](auto value) {
        const double v = static_cast<double>(value);
        if (!std::isfinite(v)) return;
        const double share = largest > 0 ? v / largest : 0; // first the division: the range itself may overflow
        const double place = (both ? (share + 1) / 2 : share) * bins;
        ++out.bins[static_cast<std::size_t>(std::min(place, static_cast<double>(bins - 1)))];
    });
    return out;
}

} // namespace gradus
