#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <fmt/format.h>

/// What the descriptions of ops are made of; for the files of this folder only.
namespace gradus::op_parts {

using Inputs = std::span<const ValueIndex>;

inline Value output(const Shape& shape, DType dtype, Role role = Role::activation) {
    Value value;
    value.shape = shape;
    value.dtype = dtype;
    value.role = role;
    return value;
}

/// Output 0 of a gradient: of input 0's shape and type.
inline std::vector<Value> infer_like_first(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}

inline void expect(bool condition, std::string_view op, const Tape& tape, Inputs inputs, std::string_view wanted) {
    if (condition) return;
    std::string came;
    for (const ValueIndex index : inputs) {
        const Value& value = tape.value(index);
        came += fmt::format("{}{} {} {}", came.empty() ? "" : ", ", value.name, value.shape.text_with_names(),
                            name_of(value.dtype));
    }
    throw ShapeError(fmt::format("{} expects {}, but got {}", op, wanted, came));
}

/// An attribute that is a whole number in [from, until). Throws ShapeError.
inline Dim whole_number(std::string_view op, std::string_view what, double value, Dim from, Dim until) {
    const bool fits = value >= static_cast<double>(from) && value < static_cast<double>(until) &&
                      value == static_cast<double>(static_cast<Dim>(value));
    if (!fits) throw ShapeError(fmt::format("{} expects {} to be a whole number from {} to {}, not {}", op, what, from, until - 1, value));
    return static_cast<Dim>(value);
}

inline double bytes_of(const Value& value) {
    return static_cast<double>(value.shape.elements()) * static_cast<double>(size_of(value.dtype));
}

/// Operands read once, results written once, and a number of operations per element of output 0.
template <int FlopsPerElement> Cost elementwise_cost(const Tape& tape, const Node& node) {
    Cost cost;
    for (const ValueIndex index : node.inputs) cost.bytes_read += bytes_of(tape.value(index));
    for (const ValueIndex index : node.outputs) cost.bytes_written += bytes_of(tape.value(index));
    cost.flops = FlopsPerElement * static_cast<double>(tape.value(node.outputs[0]).shape.elements());
    return cost;
}

/// As elementwise_cost, with the operations counted per element of input 0.
template <int FlopsPerElement> Cost reduction_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    cost.flops = FlopsPerElement * static_cast<double>(tape.value(node.inputs[0]).shape.elements());
    return cost;
}

} // namespace gradus::op_parts
