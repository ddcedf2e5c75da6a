#pragma once

#include "engine/backend/cpu/kernel_parts.hpp"

#include <cstring>
#include <memory>
#include <new>

/// What the kernels that read or write at indexed places are made of; for the files of this folder only.
namespace gradus::cpu {

/// Whether every entry of an int32 index lies in [0, limit).
inline bool in_range(const GradusArray& index, std::int64_t limit) {
    const auto* at = static_cast<const std::int32_t*>(index.data);
    // as an unsigned number a negative index is beyond every limit
    const auto bound = static_cast<std::uint32_t>(std::min<std::int64_t>(limit, std::int64_t{1} << 31));
    bool outside = false;
    for (std::int64_t i = 0; i < elements(index); ++i) outside |= static_cast<std::uint32_t>(at[i]) >= bound;
    return !outside;
}

/// Scratch memory of one piece; null where there is none, since nothing may be thrown inside the pool.
template <class T> std::unique_ptr<T[]> scratch(std::int64_t count) {
    return std::unique_ptr<T[]>(new (std::nothrow) T[static_cast<std::size_t>(count)]);
}

/// An array cut along one axis: `outer` blocks of `size` slices of `inner` elements.
struct Slices {
    std::int64_t outer = 1, size = 1, inner = 1;
    Slices(const GradusArray& array, int axis) : size(array.sizes[axis]) {
        for (int i = 0; i < axis; ++i) outer *= array.sizes[i];
        for (int i = axis + 1; i < array.rank; ++i) inner *= array.sizes[i];
    }
};

} // namespace gradus::cpu
