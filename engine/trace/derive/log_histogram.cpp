#include "engine/trace/derive/log_histogram.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr int lowest = -660, highest = 640; // bins of the least subnormal and of the greatest double
} // namespace

LogHistogram log_histogram(const Tensor& tensor) {
    if (!tensor.defined()) throw ShapeError("log_histogram needs a tensor's contents, but only its name is kept");
    LogHistogram out;
    out.elements = tensor.elements();
    std::vector<Dim> counts(highest - lowest), example(highest - lowest, -1);
    int least = highest, greatest = lowest - 1;
    double largest = 0;
    const auto count = [&](const auto& value_at) {
        for (Dim i = 0; i < out.elements; ++i) {
            const double size = std::abs(static_cast<double>(value_at(i)));
            if (size == 0) {
                ++out.zeros;
                continue;
            }
            if (!std::isfinite(size)) {
                ++out.not_finite;
                continue;
            }
            if (size > largest) {
                largest = size;
                out.largest = i;
            }
            const int bin = static_cast<int>(std::floor(std::log10(size) * LogHistogram::bins_per_decade));
            least = std::min(least, bin);
            greatest = std::max(greatest, bin);
            const auto at = static_cast<std::size_t>(bin - lowest);
            if (counts[at]++ == 0) example[at] = i;
        }
    };
    if (tensor.contiguous() && tensor.dtype() == DType::f32) count([data = tensor.data<float>()](Dim i) { return data[i]; });
    else if (tensor.contiguous() && tensor.dtype() == DType::f64)
        count([data = tensor.data<double>()](Dim i) { return data[i]; });
    else count([&](Dim i) { return tensor.at(i); });
    if (least > greatest) return out;
    out.first = least;
    out.counts.assign(counts.begin() + (least - lowest), counts.begin() + (greatest + 1 - lowest));
    out.example.assign(example.begin() + (least - lowest), example.begin() + (greatest + 1 - lowest));
    return out;
}

} // namespace gradus
