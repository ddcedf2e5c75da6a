#pragma once

#include "engine/ops/layout.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>

/// What the two files of layout ops share.
namespace gradus::layout_parts {

/// An attribute that is a whole number, the least there is where it is none.
inline Dim whole(const Attributes& attributes, int i) {
    constexpr double most = 9e15; // a double has whole numbers up to there
    const double number = attributes[static_cast<std::size_t>(i)];
    const Dim out = number >= -most && number <= most ? static_cast<Dim>(number) : 0; // a NaN is neither
    return static_cast<double>(out) == number ? out : -static_cast<Dim>(most);
}

inline Attributes attributes_of(const Node& node) {
    Attributes out;
    std::copy(node.call.attributes, node.call.attributes + GRADUS_MAX_ATTRIBUTES, out.begin());
    return out;
}

/// A shape with one axis of another size.
inline Shape resized(const Shape& shape, int changed, Dim size) {
    Shape out;
    for (int axis = 0; axis < shape.rank(); ++axis) out.append({axis == changed ? size : shape[axis], shape.name(axis)});
    return out;
}

/// Data and gradients stay what they are when they are moved; other values become activations.
inline Role role_after(const Value& x) { return x.role == Role::data || x.role == Role::gradient ? x.role : Role::activation; }

} // namespace gradus::layout_parts
