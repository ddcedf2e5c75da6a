#include "engine/ops/element_losses.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

void expect_alike(const Tape& tape, Inputs in, const Attributes& attributes, std::string_view name, Dim reductions) {
    const Value &x = tape.value(in[0]), &target = tape.value(in[1]);
    expect(x.shape.same_sizes(target.shape) && x.dtype == target.dtype && is_floating(x.dtype), name, tape, in,
           "an input and a target of one shape and floating type");
    whole_number(name, "its reduction", attributes[0], 0, reductions);
}

std::vector<Value> loss_like(const Tape& tape, Inputs in) { return {output(Shape{}, tape.value(in[0]).dtype, Role::loss)}; }

std::vector<Value> infer_bce(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_alike(tape, in, attributes, "bce", 2);
    return loss_like(tape, in);
}
std::vector<Value> infer_kl_div(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_alike(tape, in, attributes, "kl_div", 3);
    expect(attributes[0] != 0 || tape.value(in[0]).shape.rank() >= 1, "kl_div", tape, in,
           "an axis of examples to take the mean over");
    return loss_like(tape, in);
}
std::vector<Value> infer_l1_loss(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_alike(tape, in, attributes, "l1_loss", 2);
    if (attributes[1] != 0) throw ShapeError(fmt::format("l1_loss has no beta; smooth_l1_loss takes {}", attributes[1]));
    return loss_like(tape, in);
}
std::vector<Value> infer_smooth_l1_loss(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_alike(tape, in, attributes, "smooth_l1_loss", 2);
    if (!(attributes[1] >= 0))
        throw ShapeError(fmt::format("smooth_l1_loss expects beta to be at least 0, not {}", attributes[1]));
    return loss_like(tape, in);
}

const Op& bce_gradient() {
    static const Op op{"bce_backward", "bce_backward", "∂p = ∂L/n · (p - y) / (p · (1 - p))",
                       infer_like_first, elementwise_cost<5>, nullptr};
    return op;
}
const Op& bce_target_gradient() {
    static const Op op{"bce_target_backward", "bce_target_backward", "∂y = ∂L/n · (ln(1 - p) - ln p)",
                       infer_like_first, elementwise_cost<4>, nullptr};
    return op;
}
const Op& kl_div_gradient() {
    static const Op op{"kl_div_backward", "kl_div_backward", "∂x = -∂L/n · t", infer_like_first, elementwise_cost<1>, nullptr};
    return op;
}
const Op& kl_div_target_gradient() {
    static const Op op{"kl_div_target_backward", "kl_div_target_backward", "∂t = ∂L/n · (ln t + 1 - x)",
                       infer_like_first, elementwise_cost<4>, nullptr};
    return op;
}
const Op& l1_loss_gradient() {
    static const Op op{"l1_loss_backward", "l1_loss_backward", "∂x = ∂L/n · sign(x - t)",
                       infer_like_first, elementwise_cost<2>, nullptr};
    return op;
}
const Op& smooth_l1_loss_gradient() {
    static const Op op{"smooth_l1_loss_backward", "smooth_l1_loss_backward", "∂x = ∂L/n · clamp((x - t)/β, -1, 1)",
                       infer_like_first, elementwise_cost<3>, nullptr};
    return op;
}

Attributes loss_attributes(const Node& node) { return {node.call.attributes[0], node.call.attributes[1]}; }

// L = -mean(y·ln p + (1-y)·ln(1-p)): ∂p = (p - y)/(p·(1-p))/n and ∂y = (ln(1-p) - ln p)/n, both times ∂L.
void bce_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex p = node.inputs[0], y = node.inputs[1], dl = tape.value(node.outputs[0]).gradient;
    if (tape.value(p).requires_grad) tape.contribute(p, bce_gradient(), index, {p, y, dl}, loss_attributes(node));
    if (tape.value(y).requires_grad) tape.contribute(y, bce_target_gradient(), index, {p, dl}, loss_attributes(node));
}

// L = Σ t·(ln t - x) / n: ∂x = -t/n and ∂t = (ln t + 1 - x)/n, both times ∂L.
void kl_div_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], t = node.inputs[1], dl = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, kl_div_gradient(), index, {x, t, dl}, loss_attributes(node));
    if (tape.value(t).requires_grad) tape.contribute(t, kl_div_target_gradient(), index, {t, x, dl}, loss_attributes(node));
}

// L depends on |x - t| alone, so x and t change places in ∂t.
template <const Op& (*Backward)()> void distance_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], t = node.inputs[1], dl = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, Backward(), index, {x, t, dl}, loss_attributes(node));
    if (tape.value(t).requires_grad) tape.contribute(t, Backward(), index, {t, x, dl}, loss_attributes(node));
}

} // namespace

namespace ops {

const Op& bce() {
    static const Op op{"bce", "bce", "L = -mean(y·ln p + (1-y)·ln(1-p))", infer_bce, reduction_cost<7>, bce_backward};
    return op;
}
const Op& kl_div() {
    static const Op op{"kl_div", "kl_div", "L = Σ t · (ln t - x) / B", infer_kl_div, reduction_cost<4>, kl_div_backward};
    return op;
}
const Op& l1_loss() {
    static const Op op{"l1_loss", "l1_loss", "L = mean |x - t|",
                       infer_l1_loss, reduction_cost<3>, distance_backward<l1_loss_gradient>};
    return op;
}
const Op& smooth_l1_loss() {
    static const Op op{"smooth_l1_loss", "smooth_l1_loss", "L = mean of d²/2β where |d| < β, else |d| - β/2",
                       infer_smooth_l1_loss, reduction_cost<5>, distance_backward<smooth_l1_loss_gradient>};
    return op;
}

} // namespace ops

std::span<const Op* const> element_losses_ops() {
    static const std::array<const Op*, 4> list{&ops::bce(), &ops::kl_div(), &ops::l1_loss(), &ops::smooth_l1_loss()};
    return list;
}

} // namespace gradus
