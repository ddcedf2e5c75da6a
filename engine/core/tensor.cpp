#include "engine/core/tensor.hpp"

#include "engine/core/error.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

Tensor::Tensor(StorageRef storage, Shape shape, DType dtype)
    : storage_(std::move(storage)), shape_(shape), dtype_(dtype) {
    if (storage_.bytes() < bytes())
        throw ShapeError(
            fmt::format("a buffer of {} bytes is too small for {} {}", storage_.bytes(), shape.text(), name_of(dtype)));
    Dim stride = 1;
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
        strides_[static_cast<std::size_t>(axis)] = stride;
        stride *= shape_[axis];
    }
}

template <class T> Tensor Tensor::from(BufferPool& pool, const Shape& shape, std::span<const T> values) {
    if (static_cast<Dim>(values.size()) != shape.elements())
        throw ShapeError(fmt::format("{} values do not fill the shape {}", values.size(), shape.text()));
    StorageRef storage = pool.allocate(values.size_bytes());
    if (!values.empty()) std::memcpy(storage.data(), values.data(), values.size_bytes());
    return Tensor(std::move(storage), shape, dtype_of<T>);
}
template Tensor Tensor::from<float>(BufferPool&, const Shape&, std::span<const float>);
template Tensor Tensor::from<double>(BufferPool&, const Shape&, std::span<const double>);
template Tensor Tensor::from<std::int32_t>(BufferPool&, const Shape&, std::span<const std::int32_t>);
template Tensor Tensor::from<std::int64_t>(BufferPool&, const Shape&, std::span<const std::int64_t>);
template Tensor Tensor::from<std::uint8_t>(BufferPool&, const Shape&, std::span<const std::uint8_t>);

bool Tensor::contiguous() const {
    Dim expected = 1;
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
        if (shape_[axis] != 1 && stride(axis) != expected) return false;
        expected *= shape_[axis];
    }
    return true;
}

double Tensor::element(Dim position) const {
    const auto* base = static_cast<const std::byte*>(storage_.data());
    const auto read = [&]<class T>(T) {
        T value;
        std::memcpy(&value, base + static_cast<std::size_t>(position) * sizeof(T), sizeof(T));
        return static_cast<double>(value);
    };
    switch (dtype_) {
    case DType::f32: return read(float{});
    case DType::f64: return read(double{});
    case DType::i32: return read(std::int32_t{});
    case DType::i64: return read(std::int64_t{});
    case DType::u8: return read(std::uint8_t{});
    }
    return 0;
}

double Tensor::at(Dim flat) const {
    if (flat < 0 || flat >= elements())
        throw ShapeError(fmt::format("element {} is outside a tensor of shape {}", flat, shape_.text()));
    Dim position = offset_;
    for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
        position += flat % shape_[axis] * stride(axis);
        flat /= shape_[axis];
    }
    return element(position);
}

double Tensor::at(Dim row, Dim column) const {
    const Dim columns = shape_.rank() > 1 ? shape_[1] : 1;
    if (shape_.rank() > 2 || row < 0 || column < 0 || column >= columns || row >= (shape_.rank() > 0 ? shape_[0] : 1))
        throw ShapeError(fmt::format("[{}, {}] is outside a tensor of shape {}", row, column, shape_.text()));
    return element(offset_ + (shape_.rank() > 0 ? row * stride(0) : 0) + (shape_.rank() > 1 ? column * stride(1) : 0));
}

Tensor Tensor::transposed(int first, int second) const {
    if (first < 0 || second < 0 || first >= shape_.rank() || second >= shape_.rank())
        throw ShapeError(fmt::format("axes {} and {} cannot be exchanged in {}", first, second, shape_.text()));
    Tensor out = *this;
    std::swap(out.strides_[static_cast<std::size_t>(first)], out.strides_[static_cast<std::size_t>(second)]);
    Shape shape;
    for (int axis = 0; axis < shape_.rank(); ++axis) {
        const int from = axis == first ? second : axis == second ? first : axis;
        shape.append({shape_[from], shape_.name(from)});
    }
    out.shape_ = shape;
    return out;
}

Tensor Tensor::rows(Dim from, Dim until) const {
    if (shape_.rank() == 0 || from < 0 || until < from || until > shape_[0])
        throw ShapeError(fmt::format("rows {} to {} are outside a tensor of shape {}", from, until, shape_.text()));
    Tensor out = *this;
    Shape shape;
    for (int axis = 0; axis < shape_.rank(); ++axis)
        shape.append({axis == 0 ? until - from : shape_[axis], shape_.name(axis)});
    out.shape_ = shape;
    out.offset_ += from * stride(0);
    return out;
}

Tensor Tensor::contiguous_copy(BufferPool& pool) const {
    Tensor out(pool.allocate(bytes()), shape_, dtype_);
    auto* target = static_cast<std::byte*>(out.storage_.data());
    const std::size_t unit = size_of(dtype_);
    if (contiguous()) {
        if (bytes() > 0) std::memcpy(target, raw(), bytes());
        return out;
    }
    const auto* base = static_cast<const std::byte*>(storage_.data());
    for (Dim flat = 0; flat < elements(); ++flat) {
        Dim rest = flat, position = offset_;
        for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
            position += rest % shape_[axis] * stride(axis);
            rest /= shape_[axis];
        }
        std::memcpy(target + static_cast<std::size_t>(flat) * unit, base + static_cast<std::size_t>(position) * unit,
                    unit);
    }
    return out;
}

} // namespace gradus
