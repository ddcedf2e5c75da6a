#include "engine/ops/softmax.hpp"

#include "engine/ops/op_parts.hpp"

#include <algorithm>
#include <array>

namespace gradus {

namespace {

using namespace op_parts;

// --- softmax and its logarithm -------------------------------------------------------------------------------

std::vector<Value> infer_along(const Tape& tape, Inputs in, const Attributes& attributes, std::string_view name) {
    const Value& z = tape.value(in[0]);
    expect(z.shape.rank() >= 1 && is_floating(z.dtype), name, tape, in, "a floating tensor of at least one axis");
    whole_number(name, "its axis", attributes[0], 0, z.shape.rank());
    return {output(z.shape, z.dtype)};
}
std::vector<Value> infer_softmax_along(const Tape& tape, Inputs in, const Attributes& attributes) {
    return infer_along(tape, in, attributes, "softmax_along");
}
std::vector<Value> infer_log_softmax(const Tape& tape, Inputs in, const Attributes& attributes) {
    return infer_along(tape, in, attributes, "log_softmax");
}

const Op& softmax_along_gradient() {
    static const Op op{"softmax_along_backward", "softmax_along_backward", "∂z = p · (∂p - Σ p · ∂p)",
                       infer_like_first, elementwise_cost<4>, nullptr};
    return op;
}
const Op& log_softmax_gradient() {
    static const Op op{"log_softmax_backward", "log_softmax_backward", "∂z = ∂y - e^y · Σ ∂y",
                       infer_like_first, elementwise_cost<7>, nullptr};
    return op;
}

// p = e^z / Σ e^z, so ∂p_k/∂z_j = p_k · ([k = j] - p_j); y = ln p, so ∂y_k/∂z_j = [k = j] - p_j. Both from what forward wrote.
template <const Op& (*Backward)()> void along_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex z = node.inputs[0], y = node.outputs[0];
    if (tape.value(z).requires_grad)
        tape.contribute(z, Backward(), index, {y, tape.value(y).gradient}, {node.call.attributes[0]});
}

// --- losses of classes ---------------------------------------------------------------------------------------

/// The shape of logits without the axis of the classes, which is 1, or 0 where there is no other.
Shape labels_of(const Shape& z) {
    Shape out;
    for (int axis = 0; axis < z.rank(); ++axis)
        if (axis != (z.rank() > 1 ? 1 : 0)) out.append({z[axis], z.name(axis)});
    return out;
}

void expect_classes(const Tape& tape, Inputs in, const Attributes& attributes, std::string_view name) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    const int rank = z.shape.rank();
    expect(rank >= 1 && is_floating(z.dtype) && y.dtype == DType::i32 && z.shape[rank > 1 ? 1 : 0] > 0 &&
               labels_of(z.shape).same_sizes(y.shape),
           name, tape, in, "z (B, C, …) or (C) with at least one class, and int32 labels (B, …) or ()");
    whole_number(name, "its reduction", attributes[0], 0, 2);
    if (attributes[1] != 0) whole_number(name, "its ignored label", attributes[2], -(Dim{1} << 31), Dim{1} << 31);
}

std::vector<Value> infer_cross_entropy_with_logits(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_classes(tape, in, attributes, "cross_entropy_with_logits");
    if (!(attributes[3] >= 0 && attributes[3] <= 1))
        throw ShapeError(fmt::format("cross_entropy_with_logits expects label smoothing in [0, 1], not {}", attributes[3]));
    const Value& z = tape.value(in[0]);
    return {output(Shape{}, z.dtype, Role::loss), output(labels_of(z.shape), z.dtype == DType::f64 ? DType::f64 : DType::f32)};
}
std::vector<Value> infer_nll_loss(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_classes(tape, in, attributes, "nll_loss");
    return {output(Shape{}, tape.value(in[0]).dtype, Role::loss)};
}

const Op& cross_entropy_with_logits_gradient() {
    static const Op op{"cross_entropy_with_logits_backward", "cross_entropy_with_logits_backward",
                       "∂z = ∂L/n · (e^(z - lse) - (1 - ε) · [c = y] - ε/C)", infer_like_first, elementwise_cost<6>, nullptr};
    return op;
}

// L = mean(lse - z_y), so ∂z_c = ∂L/n · (p_c - [c = y]), p = e^(z - lse); smoothing puts a share of the target on every class.
void cross_entropy_with_logits_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex z = node.inputs[0], lse = node.outputs[1], dl = tape.value(node.outputs[0]).gradient;
    if (tape.value(lse).gradient != no_value)
        throw Error(fmt::format("{} has a gradient for {} alone: {} is there to be saved", node.op->name,
                                tape.value(node.outputs[0]).name, tape.value(lse).name));
    Attributes attributes;
    std::copy(std::begin(node.call.attributes), std::end(node.call.attributes), attributes.begin());
    if (dl != no_value && tape.value(z).requires_grad)
        tape.contribute(z, cross_entropy_with_logits_gradient(), index, {z, lse, node.inputs[1], dl}, attributes);
}

/// From labels and ∂L; attribute 3 is the number of classes.
std::vector<Value> infer_nll_loss_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Shape& labels = tape.value(in[0]).shape;
    const Axis classes{static_cast<Dim>(attributes[3]), {}};
    Shape shape;
    if (labels.rank() == 0) shape.append(classes);
    for (int axis = 0; axis < labels.rank(); ++axis) {
        shape.append({labels[axis], {}});
        if (axis == 0) shape.append(classes);
    }
    return {output(shape, tape.value(in[1]).dtype, Role::gradient)};
}
const Op& nll_loss_gradient() {
    static const Op op{"nll_loss_backward", "nll_loss_backward", "∂logp = -∂L/n at the label, else 0",
                       infer_nll_loss_gradient, elementwise_cost<0>, nullptr};
    return op;
}

// L = -mean(logp_y), so ∂logp_y = -∂L/n.
void nll_loss_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex logp = node.inputs[0];
    if (!tape.value(logp).requires_grad) return;
    const Shape& shape = tape.value(logp).shape;
    tape.contribute(logp, nll_loss_gradient(), index, {node.inputs[1], tape.value(node.outputs[0]).gradient},
                    {node.call.attributes[0], node.call.attributes[1], node.call.attributes[2],
                     static_cast<double>(shape[shape.rank() > 1 ? 1 : 0])});
}

/// One number is read for each label.
Cost nll_loss_cost(const Tape& tape, const Node& node) {
    Cost cost;
    const double labels = static_cast<double>(tape.value(node.inputs[1]).shape.elements());
    const double size = static_cast<double>(size_of(tape.value(node.inputs[0]).dtype));
    cost.bytes_read = labels * size + bytes_of(tape.value(node.inputs[1]));
    cost.bytes_written = size;
    cost.flops = labels;
    return cost;
}

} // namespace

namespace ops {

const Op& softmax_along() {
    static const Op op{"softmax_along", "softmax_along", "p_k = e^(z_k) / Σ_j e^(z_j)",
                       infer_softmax_along, elementwise_cost<4>, along_backward<softmax_along_gradient>};
    return op;
}
const Op& log_softmax() {
    static const Op op{"log_softmax", "log_softmax", "y_k = z_k - ln Σ_j e^(z_j)",
                       infer_log_softmax, elementwise_cost<5>, along_backward<log_softmax_gradient>};
    return op;
}
const Op& cross_entropy_with_logits() {
    static const Op op{"cross_entropy_with_logits", "cross_entropy_with_logits", "L = mean_i(ln Σ_c e^(z_ic) - z_i,y(i))",
                       infer_cross_entropy_with_logits, reduction_cost<5>, cross_entropy_with_logits_backward,
                       "log_softmax + nll_loss"};
    return op;
}
const Op& nll_loss() {
    static const Op op{"nll_loss", "nll_loss", "L = -mean_i logp_i,y(i)", infer_nll_loss, nll_loss_cost, nll_loss_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> softmax_ops() {
    static const std::array<const Op*, 4> list{&ops::softmax_along(), &ops::log_softmax(), &ops::cross_entropy_with_logits(),
                                               &ops::nll_loss()};
    return list;
}

} // namespace gradus
