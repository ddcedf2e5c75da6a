#pragma once

#include "engine/core/dtype.hpp"
#include "engine/core/shape.hpp"
#include "engine/core/storage.hpp"

#include <array>
#include <span>

namespace gradus {

/// A strided, read-only view of a buffer: element (i, j, …) lies at offset + i·stride[0] + j·stride[1] + … elements.
/// Copying one copies no data and keeps the contents as they are (see StorageRef).
class Tensor {
public:
    Tensor() = default;
    /// A contiguous tensor over the start of `storage`. Throws ShapeError if the buffer is too small.
    Tensor(StorageRef storage, Shape shape, DType dtype);

    /// A new contiguous tensor from values. Throws ShapeError if their number is not the shape's.
    template <class T> static Tensor from(BufferPool& pool, const Shape& shape, std::span<const T> values);

    const Shape& shape() const { return shape_; }
    DType dtype() const { return dtype_; }
    Dim stride(int axis) const { return strides_[static_cast<std::size_t>(axis)]; }
    Dim elements() const { return shape_.elements(); }
    std::size_t bytes() const { return static_cast<std::size_t>(elements()) * size_of(dtype_); }
    bool defined() const { return static_cast<bool>(storage_); }
    bool contiguous() const;
    const StorageRef& storage() const { return storage_; }

    /// First element, unchecked; T must be the element type of dtype().
    template <class T> const T* data() const { return static_cast<const T*>(storage_.data()) + offset_; }
    const std::byte* raw() const { return static_cast<const std::byte*>(storage_.data()) + offset_ * size_of(dtype_); }

    /// Any element as a double, by row-major position. Throws ShapeError out of range.
    double at(Dim flat) const;
    /// Element (row, column) of a matrix, or (row) of a vector with column 0. Throws ShapeError out of range.
    double at(Dim row, Dim column) const;

    /// The same buffer with two axes exchanged.
    Tensor transposed(int first, int second) const;
    /// Rows [from, until) of axis 0, same buffer. Throws ShapeError out of range.
    Tensor rows(Dim from, Dim until) const;
    /// A contiguous copy.
    Tensor contiguous_copy(BufferPool& pool) const;

private:
    double element(Dim position) const; // position in elements from the buffer's start

    StorageRef storage_;
    Shape shape_;
    std::array<Dim, Shape::max_rank> strides_{};
    Dim offset_ = 0; // elements
    DType dtype_ = DType::f32;
};

} // namespace gradus
