#pragma once

#include "engine/backend/cpu/elementwise_loops.hpp"
#include "engine/backend/cpu/kernel_parts.hpp"

#include <array>
#include <span>

namespace gradus::cpu {

/// An operand of an element-wise op as it lies under the axes of the result; stride 0 along an axis that it is stretched over.
struct Stretched {
    const void* data = nullptr;
    std::int64_t element_bytes = 0;
    std::array<std::int64_t, GRADUS_MAX_RANK> strides{}; ///< elements
};

/// `array` under the axes of `out`, as NumPy broadcasts: aligned at the last axis.
Stretched stretched(const GradusArray& array, const GradusArray& out);

/// Runs a loop over all elements of `out`, in pieces that depend on the shape alone. Up to three operands, in the loop's order.
void over_planes(const GradusCall* call, const GradusArray& out, std::span<const Stretched> operands,
                 void (*loop)(const Plane&), double number = 0, double number2 = 0);

/// The same with the call's inputs, stretched to its output, and its first two attributes.
void over_planes(const GradusCall* call, void (*loop)(const Plane&));

} // namespace gradus::cpu
