#pragma once

#include "engine/core/dtype.hpp"
#include "engine/core/layout.hpp"
#include "engine/core/storage.hpp"

#include <span>

namespace gradus {

/// A strided, read-only view of a buffer: element (i, j, …) lies at offset + i·stride[0] + j·stride[1] + … elements.
/// Copying one copies no data and keeps the contents as they are (see StorageRef).
class Tensor {
public:
    Tensor() = default;
    /// A contiguous tensor over the start of `storage`. Throws ShapeError if the buffer is too small.
    Tensor(StorageRef storage, Shape shape, DType dtype);
    /// The elements of `storage` that a layout names. Throws ShapeError if the buffer is too small.
    Tensor(StorageRef storage, const Layout& layout, DType dtype);

    /// A new contiguous tensor from values. Throws ShapeError if their number is not the shape's.
    template <class T> static Tensor from(BufferPool& pool, const Shape& shape, std::span<const T> values);
    /// The same from doubles, each rounded once to a value of `dtype` (towards zero for an integer type; bool is x != 0).
    static Tensor from_numbers(BufferPool& pool, const Shape& shape, DType dtype, std::span<const double> values);

    const Shape& shape() const { return shape_; }
    DType dtype() const { return dtype_; }
    Dim stride(int axis) const { return strides_[static_cast<std::size_t>(axis)]; }
    Dim offset() const { return offset_; } ///< elements
    Layout layout() const { return {shape_, strides_, offset_}; }
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
    /// A contiguous copy in another type, each element rounded once as from_numbers does.
    Tensor copy_in(BufferPool& pool, DType dtype) const;
    /// A copy whose elements lie as `layout` says, in a buffer just large enough. Throws ShapeError where its sizes are others.
    Tensor copy_as(BufferPool& pool, const Layout& layout) const;

private:
    double element(Dim position) const; // position in elements from the buffer's start

    StorageRef storage_;
    Shape shape_;
    Strides strides_{};
    Dim offset_ = 0; // elements
    DType dtype_ = DType::f32;
};

} // namespace gradus
