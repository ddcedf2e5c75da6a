// Ops that show in single steps what the losses of ops.cpp do at once, and the bowl that gradient descent is shown on.
#include "engine/ops/op_parts.hpp"

namespace gradus {

namespace {

using namespace op_parts;

std::vector<Value> infer_quadratic(const Tape& tape, Inputs in, const Attributes&) {
    const Value &w = tape.value(in[0]), &a = tape.value(in[1]);
    expect(w.shape.same_sizes(a.shape) && w.dtype == a.dtype && is_floating(w.dtype) && w.shape.elements() > 0,
           "quadratic", tape, in, "a point and its curvatures, of one shape and floating type");
    return {output(Shape{}, w.dtype, Role::loss)};
}

// L = ½ · Σ a · w², so ∂w = a · w; ∂L = 1 enters here.
void quadratic_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex w = node.inputs[0], a = node.inputs[1];
    if (tape.value(w).requires_grad) tape.contribute(w, ops::multiply(), index, {a, w});
}

std::vector<Value> infer_softmax(const Tape& tape, Inputs in, const Attributes&) {
    const Value& z = tape.value(in[0]);
    expect(z.shape.rank() == 2 && z.shape.elements() > 0 && is_floating(z.dtype), "softmax", tape, in, "logits (B, C)");
    return {output(z.shape, z.dtype)};
}

std::vector<Value> infer_softmax_gradient(const Tape& tape, Inputs in, const Attributes&) {
    const Value &p = tape.value(in[0]), &dp = tape.value(in[1]);
    expect(p.shape.same_sizes(dp.shape) && p.dtype == dp.dtype, "softmax's gradient", tape, in,
           "two tensors of one shape and type");
    return {output(p.shape, p.dtype, Role::gradient)};
}

const Op& softmax_gradient() {
    static const Op op{"softmax_backward", "softmax_backward", "∂z_ij = p_ij · (∂p_ij - Σ_k p_ik · ∂p_ik)",
                       infer_softmax_gradient, elementwise_cost<4>, nullptr};
    return op;
}

void softmax_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex z = node.inputs[0], p = node.outputs[0];
    if (tape.value(z).requires_grad) tape.contribute(z, softmax_gradient(), index, {p, tape.value(p).gradient});
}

std::vector<Value> infer_cross_entropy(const Tape& tape, Inputs in, const Attributes&) {
    const Value &p = tape.value(in[0]), &y = tape.value(in[1]);
    expect(p.shape.rank() == 2 && p.shape.elements() > 0 && y.shape.rank() == 1 && y.shape[0] == p.shape[0] &&
               y.dtype == DType::i32 && is_floating(p.dtype),
           "cross_entropy", tape, in, "probabilities (B, C) and int32 labels (B)");
    return {output(Shape{}, p.dtype, Role::loss)};
}

std::vector<Value> infer_cross_entropy_gradient(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}

const Op& cross_entropy_gradient() {
    static const Op op{"cross_entropy_backward", "cross_entropy_backward", "∂p = -y / (B · p)",
                       infer_cross_entropy_gradient, elementwise_cost<1>, nullptr};
    return op;
}

// The loss is where ∂L = 1 enters.
void cross_entropy_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex p = node.inputs[0], y = node.inputs[1];
    if (tape.value(p).requires_grad) tape.contribute(p, cross_entropy_gradient(), index, {p, y});
}

} // namespace

namespace ops {

const Op& quadratic() {
    static const Op op{"quadratic", "quadratic", "L = ½ · Σ_i a_i · w_i²", infer_quadratic, reduction_cost<3>,
                       quadratic_backward, {}, true};
    return op;
}
const Op& softmax() {
    static const Op op{"softmax", "softmax", "p_ij = e^(z_ij) / Σ_k e^(z_ik)", infer_softmax, elementwise_cost<4>,
                       softmax_backward};
    return op;
}
const Op& cross_entropy() {
    static const Op op{"cross_entropy", "cross_entropy", "L = -1/B · Σ_i ln p_i,y(i)", infer_cross_entropy,
                       reduction_cost<1>, cross_entropy_backward, {}, true};
    return op;
}

} // namespace ops

} // namespace gradus
