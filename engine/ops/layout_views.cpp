// Views: ops that say where their output's elements lie in the buffer of their input, and compute nothing.
#include "engine/ops/layout_parts.hpp"
#include "engine/ops/op_parts.hpp"

namespace gradus {

namespace {

using namespace op_parts;
using namespace layout_parts;

using Axes = std::array<int, Shape::max_rank>;

// --- reshape -------------------------------------------------------------------------------------------------

/// The shape that attributes [0] rank, [1..] sizes give a tensor, a -1 filled in; nothing where it has other elements.
std::optional<Shape> reshape_target(const Shape& from, const Attributes& attributes) {
    constexpr Dim most = Dim{1} << 59; // as Shape has it
    const Dim rank = whole(attributes, 0);
    if (rank < 0 || rank > Shape::max_rank) return std::nullopt;
    Dim known = 1;
    int open = -1;
    for (int axis = 0; axis < rank; ++axis) {
        const Dim size = whole(attributes, 1 + axis);
        if (size < -1 || (size == -1 && open >= 0) || (known > 0 && size > most / known)) return std::nullopt;
        if (size == -1) open = axis;
        else known *= size;
    }
    if (open >= 0 && (known == 0 || from.elements() % known != 0)) return std::nullopt;
    Shape shape;
    for (int axis = 0; axis < rank; ++axis)
        shape.append({axis == open ? from.elements() / known : whole(attributes, 1 + axis), {}});
    if (shape.elements() != from.elements()) return std::nullopt;
    return with_names_of(from, shape);
}

std::vector<Value> infer_reshape(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const std::optional<Shape> shape = reshape_target(x.shape, attributes);
    expect(shape.has_value(), "reshape", tape, in, "a shape of as many elements");
    return {output(*shape, x.dtype, role_after(x))};
}

std::optional<Layout> view_reshape(const Layout& x, const Shape& shape, const Attributes&) { return reshaped(x, shape); }

void reshape_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, ops::reshape(), index, {dy}, reshape_to(tape.value(x).shape));
}

// --- transpose and permute -----------------------------------------------------------------------------------

/// Which axis of x each axis of the output is; nothing where an axis is missing, twice there or none of x's.
std::optional<Axes> exchanged(const Shape& x, const Attributes& attributes) {
    const Dim first = whole(attributes, 0), second = whole(attributes, 1);
    if (first < 0 || second < 0 || first >= x.rank() || second >= x.rank()) return std::nullopt;
    Axes axes{};
    for (int axis = 0; axis < x.rank(); ++axis)
        axes[static_cast<std::size_t>(axis)] = static_cast<int>(axis == first ? second : axis == second ? first : axis);
    return axes;
}

std::optional<Axes> ordered(const Shape& x, const Attributes& attributes) {
    if (whole(attributes, 0) != x.rank()) return std::nullopt;
    Axes axes{};
    std::array<bool, Shape::max_rank> seen{};
    for (int axis = 0; axis < x.rank(); ++axis) {
        const Dim from = whole(attributes, 1 + axis);
        if (from < 0 || from >= x.rank() || seen[static_cast<std::size_t>(from)]) return std::nullopt;
        seen[static_cast<std::size_t>(from)] = true;
        axes[static_cast<std::size_t>(axis)] = static_cast<int>(from);
    }
    return axes;
}

using AxesOf = std::optional<Axes> (*)(const Shape&, const Attributes&);

template <AxesOf Find> std::optional<Layout> view_moved(const Layout& x, const Shape&, const Attributes& attributes) {
    const std::optional<Axes> axes = Find(x.shape, attributes);
    if (!axes) return std::nullopt;
    Layout out;
    out.offset = x.offset;
    for (int axis = 0; axis < x.shape.rank(); ++axis) {
        const int from = (*axes)[static_cast<std::size_t>(axis)];
        out.shape.append({x.shape[from], x.shape.name(from)});
        out.strides[static_cast<std::size_t>(axis)] = x.strides[static_cast<std::size_t>(from)];
    }
    return out;
}

std::vector<Value> infer_transpose(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const std::optional<Layout> layout = view_moved<exchanged>(x.layout(), {}, attributes);
    expect(layout.has_value(), "transpose", tape, in, "two axes of its input");
    return {output(layout->shape, x.dtype, role_after(x))};
}

std::vector<Value> infer_permute(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const std::optional<Layout> layout = view_moved<ordered>(x.layout(), {}, attributes);
    expect(layout.has_value(), "permute", tape, in, "every axis of its input once");
    return {output(layout->shape, x.dtype, role_after(x))};
}

void transpose_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, ops::transpose(), index, {dy}, attributes_of(node));
}

// Axis i of y is axis a_i of x, so axis a_i of ∂x is axis i of ∂y.
void permute_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    const Attributes forward = attributes_of(node);
    Attributes back{forward[0]};
    for (int axis = 0; axis < tape.value(x).shape.rank(); ++axis)
        back[static_cast<std::size_t>(1 + whole(forward, 1 + axis))] = axis;
    if (tape.value(x).requires_grad) tape.contribute(x, ops::permute(), index, {dy}, back);
}

// --- slice ---------------------------------------------------------------------------------------------------

std::optional<Layout> view_slice(const Layout& x, const Shape&, const Attributes& attributes) {
    const Dim axis = whole(attributes, 0), from = whole(attributes, 1), until = whole(attributes, 2), step = whole(attributes, 3);
    if (axis < 0 || axis >= x.shape.rank() || step < 1 || from < 0 || from > until || until > x.shape[static_cast<int>(axis)])
        return std::nullopt;
    Layout out = x;
    out.shape = resized(x.shape, static_cast<int>(axis), (until - from + step - 1) / step);
    out.strides[static_cast<std::size_t>(axis)] *= step;
    if (out.shape.elements() > 0) out.offset += from * x.strides[static_cast<std::size_t>(axis)];
    return out;
}

std::vector<Value> infer_slice(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const std::optional<Layout> layout = view_slice(x.layout(), {}, attributes);
    expect(layout.has_value(), "slice", tape, in, "an axis of its input, a range within it and a step of at least 1");
    return {output(layout->shape, x.dtype, role_after(x))};
}

void slice_gradient(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    Attributes attributes = attributes_of(node);
    attributes[4] = static_cast<double>(tape.value(x).shape[static_cast<int>(attributes[0])]);
    if (tape.value(x).requires_grad) tape.contribute(x, ops::slice_backward(), index, {dy}, attributes);
}

// --- expand --------------------------------------------------------------------------------------------------

std::optional<Layout> view_expand(const Layout& x, const Shape&, const Attributes& attributes) {
    const Dim rank = whole(attributes, 0);
    if (rank < x.shape.rank() || rank > Shape::max_rank) return std::nullopt;
    const int added = static_cast<int>(rank) - x.shape.rank(); // axes in front that x does not have
    Layout out;
    out.offset = x.offset;
    for (int axis = 0; axis < rank; ++axis) {
        const int from = axis - added;
        const Dim wanted = whole(attributes, 1 + axis), own = from < 0 ? 1 : x.shape[from];
        const Dim size = wanted == -1 && from >= 0 ? own : wanted;
        if (size < 0 || (size != own && own != 1)) return std::nullopt;
        out.shape.append({size, from < 0 ? AxisName() : x.shape.name(from)});
        out.strides[static_cast<std::size_t>(axis)] = from < 0 || size != own ? 0 : x.strides[static_cast<std::size_t>(from)];
    }
    return out;
}

std::vector<Value> infer_expand(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const std::optional<Layout> layout = view_expand(x.layout(), {}, attributes);
    expect(layout.has_value(), "expand", tape, in, "sizes to which its axes of size 1 can be repeated");
    return {output(layout->shape, x.dtype, role_after(x))};
}

// An element that was repeated gets the sum of what its copies get.
void expand_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, ops::sum_to(), index, {dy}, reshape_to(tape.value(x).shape));
}

Cost nothing(const Tape&, const Node&) { return {}; }

} // namespace

namespace ops {

const Op& reshape() {
    static const Op op{"reshape", "reshape",   "y = x, in another shape", infer_reshape, nothing, reshape_backward, {},
                       false,     view_reshape};
    return op;
}
const Op& transpose() {
    static const Op op{"transpose",        "transpose", "y_ji = x_ij", infer_transpose,      nothing,
                       transpose_backward, {},          false,         view_moved<exchanged>};
    return op;
}
const Op& permute() {
    static const Op op{
        "permute", "permute",          "y = x, its axes in another order", infer_permute, nothing, permute_backward, {},
        false,     view_moved<ordered>};
    return op;
}
const Op& slice() {
    static const Op op{"slice", "slice",   "y_i = x_(from + i · step)", infer_slice, nothing, slice_gradient, {},
                       false,   view_slice};
    return op;
}
const Op& expand() {
    static const Op op{"expand", "expand",   "y_ij = x_j for every i", infer_expand, nothing, expand_backward, {},
                       false,    view_expand};
    return op;
}

} // namespace ops

} // namespace gradus
