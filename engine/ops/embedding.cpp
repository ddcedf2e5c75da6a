#include "engine/ops/indexing.hpp"
#include "engine/ops/indexing_parts.hpp"

// Whole slices that an index names, and one_hot.
namespace gradus {

namespace {

using namespace op_parts;

std::vector<Value> infer_index_select(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &x = tape.value(in[0]), &index = tape.value(in[1]);
    expect(x.shape.rank() >= 1 && index.shape.rank() == 1 && index.dtype == DType::i32, "index_select", tape, in,
           "a tensor of at least one axis and an int32 index (K)");
    const int along = static_cast<int>(whole_number("index_select", "its axis", attributes[0], 0, x.shape.rank()));
    Shape shape;
    for (int axis = 0; axis < x.shape.rank(); ++axis)
        shape.append(axis == along ? Axis{index.shape[0], index.shape.name(0)} : Axis{x.shape[axis], x.shape.name(axis)});
    return {output(shape, x.dtype)};
}

/// Attributes: the axis, its size in x.
std::vector<Value> infer_index_select_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& dy = tape.value(in[0]);
    Shape shape;
    for (int axis = 0; axis < dy.shape.rank(); ++axis)
        shape.append({axis == static_cast<int>(attributes[0]) ? static_cast<Dim>(attributes[1]) : dy.shape[axis], {}});
    return {output(shape, dy.dtype, Role::gradient)};
}
const Op& index_select_gradient() {
    static const Op op{"index_select_backward", "index_select_backward", "∂x_index(k) = Σ ∂y_k",
                       infer_index_select_gradient, reduction_cost<1>, nullptr};
    return op;
}

// y_k = x_index(k), slice by slice: ∂x_j = Σ of the ∂y_k with index(k) = j.
void index_select_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = gradient_of_output(tape, index);
    if (!wanted(tape, x, dy)) return;
    const int along = static_cast<int>(node.call.attributes[0]);
    tape.contribute(x, index_select_gradient(), index, {dy, node.inputs[1]},
                    {node.call.attributes[0], static_cast<double>(tape.value(x).shape[along])});
}

std::vector<Value> infer_embedding(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &table = tape.value(in[0]), &index = tape.value(in[1]);
    expect(table.shape.rank() == 2 && index.dtype == DType::i32 && index.shape.rank() < Shape::max_rank, "embedding", tape, in,
           "a table (V, C) and an int32 index of at most 5 axes");
    if (attributes[0] != 0) whole_number("embedding", "its padding index", attributes[1], 0, table.shape[0]);
    Shape shape = index.shape;
    shape.append({table.shape[1], table.shape.name(1)});
    return {output(shape, table.dtype)};
}

/// Attributes: whether there is a padding index, which, and V.
std::vector<Value> infer_embedding_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& dy = tape.value(in[0]);
    return {output({{static_cast<Dim>(attributes[2]), {}}, {dy.shape[dy.shape.rank() - 1], {}}}, dy.dtype, Role::gradient)};
}
const Op& embedding_gradient() {
    static const Op op{"embedding_backward", "embedding_backward", "∂table_v = Σ of the ∂y_i with index(i) = v",
                       infer_embedding_gradient, reduction_cost<1>, nullptr};
    return op;
}

// y_i = table_index(i): ∂table_v = Σ of the ∂y_i with index(i) = v, but 0 for the padding index.
void embedding_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex table = node.inputs[0], dy = gradient_of_output(tape, index);
    if (!wanted(tape, table, dy)) return;
    tape.contribute(table, embedding_gradient(), index, {dy, node.inputs[1]},
                    {node.call.attributes[0], node.call.attributes[1], static_cast<double>(tape.value(table).shape[0])});
}

std::vector<Value> infer_one_hot(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& index = tape.value(in[0]);
    expect(index.dtype == DType::i32 && index.shape.rank() < Shape::max_rank, "one_hot", tape, in,
           "an int32 index of at most 5 axes");
    const Dim classes = whole_number("one_hot", "its number of classes", attributes[0], 1, Dim{1} << 31);
    const auto dtype = static_cast<DType>(whole_number("one_hot", "its output's type", attributes[1], 0, 256));
    if (!is_floating(dtype))
        throw ShapeError(fmt::format("one_hot expects its output's type to be a floating one, not {}", name_of(dtype)));
    Shape shape = index.shape;
    shape.append({classes, {}});
    return {output(shape, dtype)};
}

} // namespace

namespace ops {

const Op& index_select() {
    static const Op op{"index_select", "index_select", "y_k = x_index(k), slice by slice",
                       infer_index_select, picked_cost, index_select_backward};
    return op;
}
const Op& embedding() {
    static const Op op{"embedding", "embedding", "y_i = table_index(i)", infer_embedding, picked_cost, embedding_backward};
    return op;
}
const Op& one_hot() {
    static const Op op{"one_hot", "one_hot", "y_ij = 1 where j = index_i, else 0", infer_one_hot, elementwise_cost<0>, nullptr};
    return op;
}

} // namespace ops

} // namespace gradus
