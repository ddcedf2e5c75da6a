// A bias and an activation in one pass over memory, beside add and the activation themselves.
#include "engine/ops/broadcast.hpp"
#include "engine/ops/elementwise.hpp"
#include "engine/ops/op_parts.hpp"

namespace gradus {

namespace {

using namespace op_parts;

template <const Op& (*Self)()> std::vector<Value> infer_bias(const Tape& tape, Inputs in, const Attributes&) {
    const Value &x = tape.value(in[0]), &b = tape.value(in[1]);
    expect(x.shape.rank() >= 1 && b.shape.rank() == 1 && b.shape[0] == x.shape[x.shape.rank() - 1] && x.dtype == b.dtype &&
               is_floating(x.dtype),
           Self().name, tape, in, "x (…, C) and a bias (C) of one floating type");
    return {output(x.shape, x.dtype)};
}
std::vector<Value> infer_upstream(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}
std::vector<Value> infer_output_first(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[1]).shape, tape.value(in[1]).dtype, Role::gradient)};
}

const Op& bias_relu_gradient() {
    static const Op op{"bias_relu_backward", "relu_backward",     "∂z = ∂y where y > 0, else 0",
                       infer_output_first,   elementwise_cost<1>, nullptr};
    return op;
}
const Op& bias_gelu_gradient() {
    static const Op op{"bias_gelu_backward", "bias_gelu_backward", "∂z = ∂y · (Φ(z) + z · φ(z)), z = x + b", infer_upstream,
                       elementwise_cost<15>, nullptr};
    return op;
}
const Op& bias_gelu_tanh_gradient() {
    static const Op op{"bias_gelu_tanh_backward", "bias_gelu_tanh_backward",
                       "∂z = ∂y · (σ(2u) + 2z · σ(2u) · σ(-2u) · u'), z = x + b", infer_upstream, elementwise_cost<19>, nullptr};
    return op;
}

// y = f(z), z = x + b: ∂x is ∂z itself, and ∂b is ∂z summed over the rows.
void share_bias_gradient(Tape& tape, NodeIndex index, const Op& op, std::vector<ValueIndex> inputs) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], b = node.inputs[1];
    const bool wants_x = tape.value(x).requires_grad, wants_b = tape.value(b).requires_grad;
    if (!wants_x && !wants_b) return;
    const ValueIndex dz = tape.on_the_way_back(op, index, std::move(inputs),
                                               {"d" + tape.value(node.outputs[0]).name + " before bias"})[0];
    if (wants_b) share_summed(tape, b, index, dz);
    if (wants_x) tape.share_gradient(x, index, dz);
}
void bias_relu_backward(Tape& tape, NodeIndex index) {
    const ValueIndex y = tape.node(index).outputs[0];
    share_bias_gradient(tape, index, bias_relu_gradient(), {y, tape.value(y).gradient});
}
template <const Op& (*Gradient)()> void bias_activation_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    share_bias_gradient(tape, index, Gradient(), {tape.value(node.outputs[0]).gradient, node.inputs[0], node.inputs[1]});
}

} // namespace

namespace ops {

const Op& bias_relu() {
    static const Op op{"bias_relu",         "bias_relu",        "y = max(0, x + b)", infer_bias<bias_relu>,
                       elementwise_cost<2>, bias_relu_backward, "add + relu"};
    return op;
}
const Op& bias_gelu() {
    static const Op op{"bias_gelu", "bias_gelu", "y = (x + b) · Φ(x + b)", infer_bias<bias_gelu>, elementwise_cost<9>,
                       bias_activation_backward<bias_gelu_gradient>, "add + gelu"};
    return op;
}
const Op& bias_gelu_tanh() {
    static const Op op{"bias_gelu_tanh",       "bias_gelu_tanh",
                       "y = gelu_tanh(x + b)", infer_bias<bias_gelu_tanh>,
                       elementwise_cost<10>,   bias_activation_backward<bias_gelu_tanh_gradient>,
                       "add + gelu_tanh"};
    return op;
}

} // namespace ops

} // namespace gradus
