#include "engine/ops/reduce.hpp"

#include "engine/ops/broadcast.hpp"
#include "engine/ops/layout.hpp"
#include "engine/ops/op_parts.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace gradus {

namespace {

using namespace op_parts;

constexpr std::size_t axis_count = 0, keeps_axes = 1, first_axis = 2, first_size = 9, rank_place = 15;

/// Which axes a reduction takes. Throws ShapeError for attributes that name none of them.
std::array<bool, Shape::max_rank> reduced_axes(std::string_view op, const Shape& shape, const Attributes& attributes) {
    std::array<bool, Shape::max_rank> out{};
    const Dim count = whole_number(op, "the number of axes", attributes[axis_count], 0, shape.rank() + 1);
    if (count == 0) std::fill_n(out.begin(), shape.rank(), true);
    for (Dim i = 0; i < count; ++i) {
        const Dim axis = whole_number(op, "an axis", attributes[first_axis + static_cast<std::size_t>(i)], 0, shape.rank());
        bool& chosen = out[static_cast<std::size_t>(axis)];
        if (chosen) throw ShapeError(fmt::format("{} names axis {} twice", op, axis));
        chosen = true;
    }
    return out;
}

Shape reduced_shape(std::string_view op, const Shape& shape, const Attributes& attributes) {
    const auto reduced = reduced_axes(op, shape, attributes);
    Shape out;
    for (int axis = 0; axis < shape.rank(); ++axis)
        if (!reduced[static_cast<std::size_t>(axis)]) out.append({shape[axis], shape.name(axis)});
        else if (attributes[keeps_axes] != 0) out.append({1, shape.name(axis)});
    return out;
}

Dim reduced_elements(std::string_view op, const Shape& shape, const Attributes& attributes) {
    const auto reduced = reduced_axes(op, shape, attributes);
    Dim product = 1;
    for (int axis = 0; axis < shape.rank(); ++axis)
        if (reduced[static_cast<std::size_t>(axis)]) product *= shape[axis];
    return product;
}

template <const Op& (*Self)()> std::vector<Value> infer_reduction(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype), Self().name, tape, in, "a floating type");
    return {output(reduced_shape(Self().name, x.shape, attributes), x.dtype)};
}
template <const Op& (*Self)()> std::vector<Value> infer_extreme(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    expect(reduced_elements(Self().name, x.shape, attributes) > 0, Self().name, tape, in, "axes that are not empty");
    return infer_reduction<Self>(tape, in, attributes);
}
template <const Op& (*Self)()> std::vector<Value> infer_position(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect(attributes[axis_count] <= 1 || tape.value(in[0]).shape.rank() < 2, Self().name, tape, in, "one axis or all of them");
    std::vector<Value> out = infer_extreme<Self>(tape, in, attributes);
    out[0].dtype = DType::i32;
    return out;
}

Attributes attributes_of(const Node& node) {
    Attributes out;
    std::copy(std::begin(node.call.attributes), std::end(node.call.attributes), out.begin());
    return out;
}

/// For the gradient of a sum, which does not read x: its shape travels in the attributes.
std::vector<Value> infer_unreduced(const Tape& tape, Inputs in, const Attributes& attributes) {
    Shape shape;
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(attributes[rank_place]); ++axis)
        shape.append({static_cast<Dim>(attributes[first_size + axis]), {}});
    return {output(shape, tape.value(in[0]).dtype, Role::gradient)};
}
const Op& sum_gradient() {
    static const Op op{"sum_backward", "sum_backward", "∂x = ∂y for every x", infer_unreduced, elementwise_cost<0>, nullptr};
    return op;
}
const Op& mean_gradient() {
    static const Op op{"mean_backward", "mean_backward",     "∂x = ∂y / n for every x",
                       infer_unreduced, elementwise_cost<1>, nullptr};
    return op;
}
template <const Op& (*Gradient)()> void sum_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    const Shape shape = tape.value(x).shape;
    if (!tape.value(x).requires_grad) return;
    Attributes attributes = attributes_of(node);
    attributes[rank_place] = shape.rank();
    for (int axis = 0; axis < shape.rank(); ++axis)
        attributes[first_size + static_cast<std::size_t>(axis)] = static_cast<double>(shape[axis]);
    tape.contribute(x, Gradient(), index, {dy}, attributes);
}

const Op& var_gradient() {
    static const Op op{"var_backward",   "var_backward",      "∂x = ∂y · 2 (x - mean x) / (n - c)",
                       infer_like_first, elementwise_cost<3>, nullptr};
    return op;
}
void var_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, var_gradient(), index, {x, dy}, attributes_of(node));
}

const Op& extreme_gradient() {
    static const Op op{"extreme_backward", "extreme_backward", "∂x = ∂y / number of x = y, where x = y, else 0", infer_like_first,
                       elementwise_cost<2>, nullptr};
    return op;
}
void extreme_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], y = node.outputs[0];
    if (tape.value(x).requires_grad)
        tape.contribute(x, extreme_gradient(), index, {x, y, tape.value(y).gradient}, attributes_of(node));
}

template <const Op& (*Self)()> std::vector<Value> infer_scan(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype) && x.shape.rank() >= 1, Self().name, tape, in, "a floating tensor with axes");
    whole_number(Self().name, "the axis", attributes[0], 0, x.shape.rank());
    return {output(x.shape, x.dtype)};
}
// y_i = Σ_{j <= i} x_j, so x_j is in every y_i with i >= j: ∂x is the scan of ∂y in the other direction.
void scan_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0];
    Attributes attributes = attributes_of(node);
    attributes[2] = attributes[2] == 0 ? 1 : 0;
    if (tape.value(x).requires_grad)
        tape.contribute(x, ops::prefix_scan(), index, {tape.value(node.outputs[0]).gradient}, attributes);
}

Shape shape_in(std::string_view op, const Attributes& attributes) {
    Shape shape;
    const Dim rank = whole_number(op, "the rank", attributes[0], 0, Shape::max_rank + 1);
    for (Dim axis = 0; axis < rank; ++axis)
        shape.append({whole_number(op, "a size", attributes[static_cast<std::size_t>(1 + axis)], 0, Dim{1} << 53), {}});
    return shape;
}
std::vector<Value> infer_sum_to(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const Shape target = shape_in("sum_to", attributes);
    const auto stretched = broadcast(target, x.shape);
    expect(is_floating(x.dtype) && stretched && stretched->same_sizes(x.shape), "sum_to", tape, in,
           "a floating tensor to whose shape (" + target.text() + ") stretches");
    Shape shape;
    for (int axis = 0; axis < target.rank(); ++axis)
        shape.append({target[axis], x.shape.name(axis + x.shape.rank() - target.rank())});
    return {output(shape, x.dtype)};
}
std::vector<Value> infer_sum_to_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    return {output(shape_in("sum_to_backward", attributes), tape.value(in[0]).dtype, Role::gradient)};
}
const Op& sum_to_gradient() {
    static const Op op{"sum_to_backward",     "sum_to_backward",   "∂x = ∂y for every x",
                       infer_sum_to_gradient, elementwise_cost<0>, nullptr};
    return op;
}
void sum_to_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0];
    if (tape.value(x).requires_grad)
        tape.contribute(x, sum_to_gradient(), index, {tape.value(node.outputs[0]).gradient}, reshape_to(tape.value(x).shape));
}

} // namespace

Attributes reduce_over(std::initializer_list<int> axes, bool keep_axes, double own) {
    if (axes.size() > static_cast<std::size_t>(Shape::max_rank))
        throw ShapeError(fmt::format("a reduction over {} axes", axes.size()));
    Attributes out{};
    out[axis_count] = static_cast<double>(axes.size());
    out[keeps_axes] = keep_axes ? 1 : 0;
    std::copy(axes.begin(), axes.end(), out.begin() + first_axis);
    out[8] = own;
    return out;
}

namespace ops {

const Op& sum() {
    static const Op op{"sum", "sum", "y = Σ x", infer_reduction<sum>, reduction_cost<1>, sum_backward<sum_gradient>};
    return op;
}
const Op& mean() {
    static const Op op{"mean", "mean", "y = Σ x / n", infer_reduction<mean>, reduction_cost<1>, sum_backward<mean_gradient>};
    return op;
}
const Op& max() {
    static const Op op{"max", "max", "y = max x", infer_extreme<max>, reduction_cost<1>, extreme_backward};
    return op;
}
const Op& min() {
    static const Op op{"min", "min", "y = min x", infer_extreme<min>, reduction_cost<1>, extreme_backward};
    return op;
}
const Op& argmax() {
    static const Op op{"argmax", "argmax", "y = argmax x", infer_position<argmax>, reduction_cost<1>, nullptr};
    return op;
}
const Op& argmin() {
    static const Op op{"argmin", "argmin", "y = argmin x", infer_position<argmin>, reduction_cost<1>, nullptr};
    return op;
}
const Op& var() {
    static const Op op{"var", "var", "y = Σ (x - mean x)² / (n - c)", infer_reduction<var>, reduction_cost<4>, var_backward};
    return op;
}
const Op& cumsum() {
    static const Op op{"cumsum", "prefix_scan", "y_i = Σ_{j≤i} x_j", infer_scan<cumsum>, reduction_cost<1>, scan_backward};
    return op;
}
const Op& prefix_scan() {
    static const Op op{"prefix_scan",           "prefix_scan",     "y_i = Σ_{j≤i} x_j, or Σ_{j<i} x_j",
                       infer_scan<prefix_scan>, reduction_cost<1>, scan_backward};
    return op;
}
const Op& sum_to() {
    static const Op op{"sum_to", "sum_to", "y = Σ x over what was stretched", infer_sum_to, reduction_cost<1>, sum_to_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> reduce_ops() {
    static const std::array<const Op*, 10> list{&ops::sum(), &ops::mean(), &ops::max(), &ops::min(), &ops::argmax(),
                                                &ops::argmin(), &ops::var(), &ops::cumsum(), &ops::prefix_scan(), &ops::sum_to()};
    return list;
}

} // namespace gradus
