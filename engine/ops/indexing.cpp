#include "engine/ops/indexing.hpp"

#include "engine/ops/indexing_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

/// Where a gradient's attributes name the sizes of what it is the gradient of: the forward tensor itself is not read.
constexpr int first_dim = 1;

Attributes with_sizes(double first, const Shape& shape) {
    Attributes out{first};
    for (int axis = 0; axis < shape.rank(); ++axis)
        out[static_cast<std::size_t>(first_dim + axis)] = static_cast<double>(shape[axis]);
    return out;
}

/// The gradient of a tensor as large as the attributes say, of the rank and type of the first input.
std::vector<Value> infer_sized(const Tape& tape, Inputs in, const Attributes& attributes) {
    Shape shape;
    for (int axis = 0; axis < tape.value(in[0]).shape.rank(); ++axis)
        shape.append({static_cast<Dim>(attributes[static_cast<std::size_t>(first_dim + axis)]), {}});
    return {output(shape, tape.value(in[0]).dtype, Role::gradient)};
}

// --- along an axis -------------------------------------------------------------------------------------------

/// Whether `small` is no longer than `large` on any axis but one (-1: on any).
bool within(const Shape& small, const Shape& large, int but) {
    for (int axis = 0; axis < small.rank(); ++axis)
        if (axis != but && small[axis] > large[axis]) return false;
    return true;
}

std::vector<Value> infer_gather_along(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &x = tape.value(in[0]), &index = tape.value(in[1]);
    expect(x.shape.rank() >= 1 && index.shape.rank() == x.shape.rank() && index.dtype == DType::i32, "gather_along", tape, in,
           "a tensor of at least one axis and an int32 index of its rank");
    const int along = static_cast<int>(whole_number("gather_along", "its axis", attributes[0], 0, x.shape.rank()));
    expect(within(index.shape, x.shape, along), "gather_along", tape, in,
           "an index no longer than x on the axes it does not pick from");
    Shape shape;
    for (int axis = 0; axis < x.shape.rank(); ++axis)
        shape.append({index.shape[axis], axis == along ? index.shape.name(axis) : x.shape.name(axis)});
    return {output(shape, x.dtype)};
}

const Op& gather_along_gradient() {
    static const Op op{"gather_along_backward", "gather_along_backward", "∂x_index(k) = Σ ∂y_k",
                       infer_sized, elementwise_cost<1>, nullptr};
    return op;
}

// y_k = x_index(k): ∂x_j = Σ of the ∂y_k with index(k) = j.
void gather_along_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = gradient_of_output(tape, index);
    if (!wanted(tape, x, dy)) return;
    tape.contribute(x, gather_along_gradient(), index, {dy, node.inputs[1]},
                    with_sizes(node.call.attributes[0], tape.value(x).shape));
}

template <bool Adds> std::vector<Value> infer_scatter(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view name = Adds ? "scatter_add" : "scatter";
    const Value &x = tape.value(in[0]), &index = tape.value(in[1]), &source = tape.value(in[2]);
    expect(x.shape.rank() >= 1 && index.shape.rank() == x.shape.rank() && source.shape.rank() == x.shape.rank() &&
               index.dtype == DType::i32 && source.dtype == x.dtype && (!Adds || is_floating(x.dtype)),
           name, tape, in, "a tensor of at least one axis, an int32 index and a source of its rank and type");
    const int along = static_cast<int>(whole_number(name, "its axis", attributes[0], 0, x.shape.rank()));
    expect(within(index.shape, source.shape, -1) && within(index.shape, x.shape, along), name, tape, in,
           "an index no longer than the source, nor than x on the axes it does not pick from");
    return {output(x.shape, x.dtype)};
}

const Op& scatter_gradient() {
    static const Op op{"scatter_backward", "scatter_backward", "∂x = 0 where it was written onto, else ∂y",
                       [](const Tape& tape, Inputs in, const Attributes&) -> std::vector<Value> {
                           return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
                       },
                       elementwise_cost<0>, nullptr};
    return op;
}
const Op& scatter_source_gradient() {
    static const Op op{"scatter_source_backward", "scatter_source_backward", "∂src_k = ∂y_index(k) where src_k stayed, else 0",
                       infer_sized, elementwise_cost<0>, nullptr};
    return op;
}
const Op& scatter_add_source_gradient() {
    static const Op op{"scatter_add_source_backward", "scatter_add_source_backward", "∂src_k = ∂y_index(k)",
                       infer_sized, elementwise_cost<0>, nullptr};
    return op;
}

// y = x, y_index(k) = src_k: ∂x is ∂y where x is left, ∂src_k = ∂y_index(k) where no later entry was written over it.
void scatter_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], place = node.inputs[1], source = node.inputs[2], dy = gradient_of_output(tape, index);
    const double along = node.call.attributes[0];
    if (wanted(tape, source, dy))
        tape.contribute(source, scatter_source_gradient(), index, {dy, place}, with_sizes(along, tape.value(source).shape));
    if (wanted(tape, x, dy)) tape.contribute(x, scatter_gradient(), index, {dy, place}, {along});
}

// y = x, y_index(k) += src_k: ∂x is ∂y itself, ∂src_k = ∂y_index(k).
void scatter_add_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], place = node.inputs[1], source = node.inputs[2], dy = gradient_of_output(tape, index);
    if (wanted(tape, source, dy))
        tape.contribute(source, scatter_add_source_gradient(), index, {dy, place},
                        with_sizes(node.call.attributes[0], tape.value(source).shape));
    if (wanted(tape, x, dy)) tape.share_gradient(x, index, dy);
}

// --- order ---------------------------------------------------------------------------------------------------

void expect_lines(const Tape& tape, Inputs in, std::string_view op) {
    const Value& x = tape.value(in[0]);
    const int last = x.shape.rank() - 1;
    expect(last >= 0 && x.shape[last] < Dim{1} << 31 && is_floating(x.dtype), op, tape, in,
           "a floating tensor of at least one axis, its last one within int32");
}

std::vector<Value> infer_top_k(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_lines(tape, in, "top_k");
    const Value& x = tape.value(in[0]);
    const int last = x.shape.rank() - 1;
    const Dim k = whole_number("top_k", "k", attributes[0], 0, x.shape[last] + 1);
    Shape shape;
    for (int axis = 0; axis < last; ++axis) shape.append({x.shape[axis], x.shape.name(axis)});
    shape.append({k, "k"});
    return {output(shape, x.dtype), output(shape, DType::i32)};
}

std::vector<Value> infer_sort(const Tape& tape, Inputs in, const Attributes&) {
    expect_lines(tape, in, "sort");
    const Value& x = tape.value(in[0]);
    return {output(x.shape, x.dtype), output(x.shape, DType::i32)};
}

/// Comparisons of a heap or a merge, about log2 N for each entry.
Cost order_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    const Shape& shape = tape.value(node.inputs[0]).shape;
    double comparisons = 1;
    for (Dim n = 2; n < shape[shape.rank() - 1]; n *= 2) comparisons += 1;
    cost.flops = comparisons * static_cast<double>(shape.elements());
    return cost;
}

// values_k = x_index(k) along the last axis, each place at most once: ∂x_index(k) = ∂values_k, else 0.
void order_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = gradient_of_output(tape, index);
    if (!wanted(tape, x, dy)) return;
    const Shape& shape = tape.value(x).shape;
    tape.contribute(x, gather_along_gradient(), index, {dy, node.outputs[1]}, with_sizes(shape.rank() - 1, shape));
}

} // namespace

namespace ops {

const Op& gather_along() {
    static const Op op{"gather_along", "gather_along", "y_k = x_index(k)",
                       infer_gather_along, picked_cost, gather_along_backward};
    return op;
}
const Op& scatter() {
    static const Op op{"scatter", "scatter", "y = x, y_index(k) = src_k",
                       infer_scatter<false>, elementwise_cost<0>, scatter_backward};
    return op;
}
const Op& scatter_add() {
    static const Op op{"scatter_add", "scatter_add", "y = x, y_index(k) += src_k",
                       infer_scatter<true>, elementwise_cost<1>, scatter_add_backward};
    return op;
}
const Op& top_k() {
    static const Op op{"top_k", "top_k", "the k largest of a line, and where they were", infer_top_k, order_cost, order_backward};
    return op;
}
const Op& sort() {
    static const Op op{"sort", "sort", "a line in order, and where its entries were", infer_sort, order_cost, order_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> indexing_ops() {
    static const std::array<const Op*, 8> list{&ops::gather_along(), &ops::scatter(), &ops::scatter_add(), &ops::index_select(),
                                               &ops::embedding(),    &ops::one_hot(), &ops::top_k(),       &ops::sort()};
    return list;
}

} // namespace gradus
