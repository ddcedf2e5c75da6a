#include "engine/ops/dropout.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

std::vector<Value> infer_dropout(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype), "dropout", tape, in, "a floating tensor");
    if (!(attributes[0] >= 0 && attributes[0] <= 1))
        throw ShapeError(fmt::format("dropout expects p to lie in [0, 1], not {}", attributes[0]));
    whole_number("dropout", "its seed", attributes[1], 0, Dim{1} << 53);
    whole_number("dropout", "its step", attributes[2], 0, Dim{1} << 48);
    return {output(x.shape, x.dtype), output(x.shape, DType::boolean)};
}

std::vector<Value> infer_dropout_gradient(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}
const Op& dropout_gradient() {
    static const Op op{"dropout_backward", "dropout_backward", "∂x = ∂y · m / (1 - p)",
                       infer_dropout_gradient, elementwise_cost<1>, nullptr};
    return op;
}

// y = m · x / (1 - p): ∂x = ∂y · m / (1 - p), with the mask that was drawn.
void dropout_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (dy != no_value && tape.value(x).requires_grad)
        tape.contribute(x, dropout_gradient(), index, {dy, node.outputs[1]}, {node.call.attributes[0]});
}

} // namespace

namespace ops {

const Op& dropout() {
    static const Op op{"dropout", "dropout", "y = m · x / (1 - p), m = 1 with probability 1 - p",
                       infer_dropout, elementwise_cost<1>, dropout_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> dropout_ops() {
    static const std::array<const Op*, 1> list{&ops::dropout()};
    return list;
}

} // namespace gradus
