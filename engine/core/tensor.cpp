#include "engine/core/tensor.hpp"

#include "engine/core/error.hpp"
#include "engine/core/half.hpp"
#include "engine/core/hash.hpp"

#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <type_traits>
#include <vector>

namespace gradus {

Tensor::Tensor(StorageRef storage, Shape shape, DType dtype) : Tensor(std::move(storage), contiguous_layout(shape), dtype) {}

Tensor::Tensor(StorageRef storage, const Layout& layout, DType dtype)
    : storage_(std::move(storage)), shape_(layout.shape), strides_(layout.strides), offset_(layout.offset), dtype_(dtype) {
    const std::size_t needed = static_cast<std::size_t>(extent_of(layout)) * size_of(dtype);
    if (storage_.bytes() < needed)
        throw ShapeError(
            fmt::format("a buffer of {} bytes is too small for {} {}", storage_.bytes(), shape_.text(), name_of(dtype)));
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
template Tensor Tensor::from<half>(BufferPool&, const Shape&, std::span<const half>);
template Tensor Tensor::from<bfloat16>(BufferPool&, const Shape&, std::span<const bfloat16>);
template Tensor Tensor::from<bool>(BufferPool&, const Shape&, std::span<const bool>);

namespace {

template <class T> T number_as(double value) {
    if constexpr (std::is_same_v<T, bool>) return value != 0;
    else return static_cast<T>(value);
}

} // namespace

Tensor Tensor::from_numbers(BufferPool& pool, const Shape& shape, DType dtype, std::span<const double> values) {
    const auto make = [&]<class T>(T) {
        const auto owned = std::make_unique<T[]>(values.size()); // a vector of bool has no array
        for (std::size_t i = 0; i < values.size(); ++i) owned[i] = number_as<T>(values[i]);
        return from<T>(pool, shape, std::span<const T>(owned.get(), values.size()));
    };
    switch (dtype) {
    case DType::f32: return make(float{});
    case DType::f64: return make(double{});
    case DType::i32: return make(std::int32_t{});
    case DType::i64: return make(std::int64_t{});
    case DType::u8: return make(std::uint8_t{});
    case DType::f16: return make(half{});
    case DType::bf16: return make(bfloat16{});
    case DType::boolean: return make(bool{});
    }
    return {};
}

bool Tensor::contiguous() const { return is_contiguous(layout()); }

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
    case DType::f16: return read(half{});
    case DType::bf16: return read(bfloat16{});
    case DType::boolean: return read(std::uint8_t{}) != 0 ? 1 : 0;
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
    if (!contiguous()) return copy_as(pool, contiguous_layout(shape_));
    Tensor out(pool.allocate(bytes()), shape_, dtype_);
    if (bytes() > 0) std::memcpy(out.storage_.data(), raw(), bytes());
    return out;
}

Tensor Tensor::copy_in(BufferPool& pool, DType dtype) const {
    std::vector<double> values(static_cast<std::size_t>(elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = at(static_cast<Dim>(i));
    return from_numbers(pool, shape_, dtype, values);
}

Tensor Tensor::copy_as(BufferPool& pool, const Layout& layout) const {
    if (!layout.shape.same_sizes(shape_))
        throw ShapeError(fmt::format("a copy of {} cannot have the shape {}", shape_.text(), layout.shape.text()));
    const std::size_t unit = size_of(dtype_);
    Tensor out(pool.allocate(static_cast<std::size_t>(extent_of(layout)) * unit), layout, dtype_);
    auto* target = static_cast<std::byte*>(out.storage_.data());
    const auto* base = static_cast<const std::byte*>(storage_.data());
    for (Dim flat = 0; flat < elements(); ++flat) {
        Dim rest = flat, position = offset_, place = layout.offset;
        for (int axis = shape_.rank() - 1; axis >= 0; --axis) {
            position += rest % shape_[axis] * stride(axis);
            place += rest % shape_[axis] * out.stride(axis);
            rest /= shape_[axis];
        }
        std::memcpy(target + static_cast<std::size_t>(place) * unit, base + static_cast<std::size_t>(position) * unit, unit);
    }
    return out;
}

std::uint64_t hash_seed(DType dtype, const Shape& shape) {
    std::uint64_t head[Shape::max_rank + 2] = {static_cast<std::uint64_t>(dtype), static_cast<std::uint64_t>(shape.rank())};
    for (int axis = 0; axis < shape.rank(); ++axis) head[2 + axis] = static_cast<std::uint64_t>(shape[axis]);
    return hash_bytes(head, sizeof head);
}

std::uint64_t hash_tensor(const Tensor& tensor) {
    const std::uint64_t seed = hash_seed(tensor.dtype(), tensor.shape());
    if (tensor.contiguous()) return hash_bytes(tensor.raw(), tensor.bytes(), seed);
    const auto pool = std::make_shared<BufferPool>();
    const Tensor copy = tensor.contiguous_copy(*pool);
    return hash_bytes(copy.raw(), copy.bytes(), seed);
}

} // namespace gradus
