#include "engine/trace/derive/norm.hpp"

#include "engine/core/error.hpp"

#include <array>
#include <cmath>

namespace gradus {

namespace {

/// Eight sums side by side, so that the additions do not wait for each other.
template <class T> double sum_of_squares(const T* values, Dim count) {
    std::array<double, 8> sums{};
    Dim i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const auto value = static_cast<double>(values[i + static_cast<Dim>(k)]);
            sums[k] += value * value;
        }
    double sum = 0;
    for (const double part : sums) sum += part;
    for (; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return sum;
}

} // namespace

double l2_norm(const Tensor& tensor) {
    if (!tensor.defined()) throw ShapeError("l2_norm needs a tensor's contents, but only its name is kept");
    if (tensor.contiguous() && tensor.dtype() == DType::f32)
        return std::sqrt(sum_of_squares(tensor.data<float>(), tensor.elements()));
    if (tensor.contiguous() && tensor.dtype() == DType::f64)
        return std::sqrt(sum_of_squares(tensor.data<double>(), tensor.elements()));
    double sum = 0;
    for (Dim i = 0; i < tensor.elements(); ++i) sum += tensor.at(i) * tensor.at(i);
    return std::sqrt(sum);
}

} // namespace gradus
