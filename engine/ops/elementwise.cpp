// Ops on two operands and on three that are stretched to one shape. Those on one stand in functions.cpp, fused ones in fused.cpp.
#include "engine/ops/elementwise.hpp"

#include "engine/ops/broadcast.hpp"
#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

/// Two floating operands of one type; `Self` names the op in the sentence of a refusal.
template <const Op& (*Self)()> std::vector<Value> infer_pair(const Tape& tape, Inputs in, const Attributes&) {
    const Value &a = tape.value(in[0]), &b = tape.value(in[1]);
    const auto shape = broadcast(a.shape, b.shape);
    expect(shape && a.dtype == b.dtype && is_floating(a.dtype), Self().name, tape, in,
           "two tensors of one floating type whose shapes are alike or stretch to each other");
    return {output(*shape, a.dtype)};
}

/// What is computed of ∂c and of operands that are stretched to its shape.
std::vector<Value> infer_like_upstream(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}

struct Pair {
    ValueIndex a, b, dc;
    bool wants_a, wants_b;
};
Pair pair_of(const Tape& tape, NodeIndex index) {
    const Node& node = tape.node(index);
    const ValueIndex a = node.inputs[0], b = node.inputs[1], c = node.outputs[0];
    return {a, b, tape.value(c).gradient, tape.value(a).requires_grad, tape.value(b).requires_grad};
}

// c = a + b: ∂a and ∂b are ∂c, summed over what they were stretched along.
void add_backward(Tape& tape, NodeIndex index) {
    const Pair p = pair_of(tape, index);
    if (p.wants_a) share_summed(tape, p.a, index, p.dc);
    if (p.wants_b) share_summed(tape, p.b, index, p.dc);
}

// c = a - b: ∂a = ∂c, ∂b = -∂c.
void subtract_backward(Tape& tape, NodeIndex index) {
    const Pair p = pair_of(tape, index);
    if (p.wants_a) share_summed(tape, p.a, index, p.dc);
    if (p.wants_b) contribute_summed(tape, p.b, ops::negate(), index, {p.dc}, p.dc);
}

// c = a · b, element by element: ∂a = ∂c · b and ∂b = ∂c · a.
void multiply_backward(Tape& tape, NodeIndex index) {
    const Pair p = pair_of(tape, index);
    if (p.wants_a) contribute_summed(tape, p.a, ops::multiply(), index, {p.dc, p.b}, p.dc);
    if (p.wants_b) contribute_summed(tape, p.b, ops::multiply(), index, {p.dc, p.a}, p.dc);
}

const Op& divide_gradient() {
    static const Op op{"divide_backward",   "divide_backward",   "∂b = -∂c · a / b²",
                       infer_like_upstream, elementwise_cost<3>, nullptr};
    return op;
}
// c = a / b: ∂a = ∂c / b, ∂b = -∂c · a / b².
void divide_backward(Tape& tape, NodeIndex index) {
    const Pair p = pair_of(tape, index);
    if (p.wants_a) contribute_summed(tape, p.a, ops::divide(), index, {p.dc, p.b}, p.dc);
    if (p.wants_b) contribute_summed(tape, p.b, divide_gradient(), index, {p.dc, p.a, p.b}, p.dc);
}

const Op& maximum_gradient() {
    static const Op op{"maximum_backward", "maximum_backward", "∂a = ∂c where a > b, ∂c / 2 where a = b, else 0",
                       infer_like_upstream, elementwise_cost<2>, nullptr};
    return op;
}
const Op& minimum_gradient() {
    static const Op op{"minimum_backward", "minimum_backward", "∂a = ∂c where a < b, ∂c / 2 where a = b, else 0",
                       infer_like_upstream, elementwise_cost<2>, nullptr};
    return op;
}
template <const Op& (*Gradient)()> void extreme_backward(Tape& tape, NodeIndex index) {
    const Pair p = pair_of(tape, index);
    if (p.wants_a) contribute_summed(tape, p.a, Gradient(), index, {p.dc, p.a, p.b}, p.dc);
    if (p.wants_b) contribute_summed(tape, p.b, Gradient(), index, {p.dc, p.b, p.a}, p.dc);
}

const Op& power_base_gradient() {
    static const Op op{"power_base_backward", "power_base_backward", "∂a = ∂c · b · a^(b-1)", infer_like_upstream,
                       elementwise_cost<12>, nullptr};
    return op;
}
const Op& power_exponent_gradient() {
    static const Op op{"power_exponent_backward", "power_exponent_backward", "∂b = ∂c · a^b · ln a", infer_like_upstream,
                       elementwise_cost<14>, nullptr};
    return op;
}
// c = a^b = e^(b · ln a): ∂a = ∂c · b · a^(b-1), ∂b = ∂c · a^b · ln a.
void power_tensor_backward(Tape& tape, NodeIndex index) {
    const Pair p = pair_of(tape, index);
    if (p.wants_a) contribute_summed(tape, p.a, power_base_gradient(), index, {p.dc, p.a, p.b}, p.dc);
    if (p.wants_b) contribute_summed(tape, p.b, power_exponent_gradient(), index, {p.dc, p.a, p.b}, p.dc);
}

template <const Op& (*Self)()> std::vector<Value> infer_comparison(const Tape& tape, Inputs in, const Attributes&) {
    const Value &a = tape.value(in[0]), &b = tape.value(in[1]);
    const auto shape = broadcast(a.shape, b.shape);
    const bool compares = is_floating(a.dtype) || a.dtype == DType::i32 || a.dtype == DType::boolean;
    expect(shape && a.dtype == b.dtype && compares, Self().name, tape, in,
           "two tensors of one floating type, of int32 or of bool whose shapes are alike or stretch to each other");
    return {output(*shape, DType::boolean)};
}

std::vector<Value> infer_where(const Tape& tape, Inputs in, const Attributes&) {
    const Value &m = tape.value(in[0]), &a = tape.value(in[1]), &b = tape.value(in[2]);
    const auto choices = broadcast(a.shape, b.shape);
    const auto shape = choices ? broadcast(*choices, m.shape) : choices;
    expect(shape && m.dtype == DType::boolean && a.dtype == b.dtype && is_floating(a.dtype), "where", tape, in,
           "a bool condition and two tensors of one floating type whose shapes are alike or stretch to one");
    return {output(*shape, a.dtype)};
}
std::vector<Value> infer_where_gradient(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[1]).shape, tape.value(in[1]).dtype, Role::gradient)};
}
const Op& where_gradient() { // attribute 0: 0 for a, 1 for b
    static const Op op{"where_backward", "where_backward", "∂a = ∂c where m, else 0; ∂b = ∂c - ∂a", infer_where_gradient,
                       elementwise_cost<1>, nullptr};
    return op;
}
void where_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex m = node.inputs[0], dc = tape.value(node.outputs[0]).gradient;
    for (const int side : {0, 1})
        if (const ValueIndex choice = node.inputs[static_cast<std::size_t>(1 + side)]; tape.value(choice).requires_grad)
            contribute_summed(tape, choice, where_gradient(), index, {m, dc}, dc, {static_cast<double>(side)});
}

} // namespace

namespace ops {

const Op& add() {
    static const Op op{"add", "add", "c = a + b", infer_pair<add>, elementwise_cost<1>, add_backward};
    return op;
}
const Op& subtract() {
    static const Op op{"subtract", "subtract", "c = a - b", infer_pair<subtract>, elementwise_cost<1>, subtract_backward};
    return op;
}
const Op& multiply() {
    static const Op op{"multiply", "multiply", "c_i = a_i · b_i", infer_pair<multiply>, elementwise_cost<1>, multiply_backward};
    return op;
}
const Op& divide() {
    static const Op op{"divide", "divide", "c = a / b", infer_pair<divide>, elementwise_cost<1>, divide_backward};
    return op;
}
const Op& maximum() {
    static const Op op{"maximum", "maximum", "c = max(a, b)", infer_pair<maximum>, elementwise_cost<1>,
                       extreme_backward<maximum_gradient>};
    return op;
}
const Op& minimum() {
    static const Op op{"minimum", "minimum", "c = min(a, b)", infer_pair<minimum>, elementwise_cost<1>,
                       extreme_backward<minimum_gradient>};
    return op;
}
const Op& power_tensor() {
    static const Op op{"power_tensor", "power_tensor", "c = a^b", infer_pair<power_tensor>, elementwise_cost<10>,
                       power_tensor_backward};
    return op;
}

const Op& equal() {
    static const Op op{"equal", "equal", "c = 1 where a = b, else 0", infer_comparison<equal>, elementwise_cost<1>, nullptr};
    return op;
}
const Op& not_equal() {
    static const Op op{"not_equal",         "not_equal", "c = 1 where a ≠ b, else 0", infer_comparison<not_equal>,
                       elementwise_cost<1>, nullptr};
    return op;
}
const Op& less() {
    static const Op op{"less", "less", "c = 1 where a < b, else 0", infer_comparison<less>, elementwise_cost<1>, nullptr};
    return op;
}
const Op& less_equal() {
    static const Op op{"less_equal",        "less_equal", "c = 1 where a ≤ b, else 0", infer_comparison<less_equal>,
                       elementwise_cost<1>, nullptr};
    return op;
}
const Op& greater() {
    static const Op op{"greater",           "greater", "c = 1 where a > b, else 0", infer_comparison<greater>,
                       elementwise_cost<1>, nullptr};
    return op;
}
const Op& greater_equal() {
    static const Op op{"greater_equal", "greater_equal", "c = 1 where a ≥ b, else 0", infer_comparison<greater_equal>,
                       elementwise_cost<1>, nullptr};
    return op;
}
const Op& where() {
    static const Op op{"where", "where", "c = a where m, else b", infer_where, elementwise_cost<1>, where_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> elementwise_ops() {
    static const std::array<const Op*, 27> list{
        &ops::add(),           &ops::subtract(),   &ops::multiply(),       &ops::divide(), &ops::maximum(), &ops::minimum(),
        &ops::power_tensor(),  &ops::equal(),      &ops::not_equal(),      &ops::less(),   &ops::less_equal(), &ops::greater(),
        &ops::greater_equal(), &ops::where(),      &ops::negate(),         &ops::exp(),    &ops::log(),     &ops::sqrt(),
        &ops::reciprocal(),    &ops::abs(),        &ops::power(),          &ops::clamp(),  &ops::leaky_relu(), &ops::gelu_tanh(),
        &ops::bias_relu(),     &ops::bias_gelu(),  &ops::bias_gelu_tanh(),
    };
    return list;
}

} // namespace gradus
