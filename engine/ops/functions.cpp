// Functions of one tensor, element by element.
#include "engine/ops/elementwise.hpp"
#include "engine/ops/op_parts.hpp"

#include <algorithm>
#include <iterator>

namespace gradus {

namespace {

using namespace op_parts;

template <const Op& (*Self)()> std::vector<Value> infer_function(const Tape& tape, Inputs in, const Attributes&) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype), Self().name, tape, in, "a floating type");
    return {output(x.shape, x.dtype)};
}
std::vector<Value> infer_clamp(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype) && attributes[0] == attributes[0] && attributes[1] == attributes[1], "clamp", tape, in,
           "a floating type and two bounds that are numbers");
    return {output(x.shape, x.dtype)};
}
std::vector<Value> infer_slope(const Tape& tape, Inputs in, const Attributes&) {
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}

enum class Saved { input, output };

/// Op `Gradient` computes ∂x of ∂y and of what the forward op saved; it gets the forward op's attributes.
template <const Op& (*Gradient)(), Saved What> void function_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], y = node.outputs[0];
    Attributes attributes;
    std::copy(std::begin(node.call.attributes), std::end(node.call.attributes), attributes.begin());
    if (tape.value(x).requires_grad)
        tape.contribute(x, Gradient(), index, {tape.value(y).gradient, What == Saved::input ? x : y}, attributes);
}

void negate_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    if (tape.value(node.inputs[0]).requires_grad)
        tape.contribute(node.inputs[0], ops::negate(), index, {tape.value(node.outputs[0]).gradient});
}

const Op& sqrt_gradient() {
    static const Op op{"sqrt_backward", "sqrt_backward", "∂x = ∂y / 2y", infer_slope, elementwise_cost<2>, nullptr};
    return op;
}
const Op& reciprocal_gradient() {
    static const Op op{"reciprocal_backward", "reciprocal_backward", "∂x = -∂y · y²", infer_slope, elementwise_cost<3>, nullptr};
    return op;
}
const Op& abs_gradient() {
    static const Op op{"abs_backward", "abs_backward", "∂x = ∂y · sign x", infer_slope, elementwise_cost<1>, nullptr};
    return op;
}
const Op& power_gradient() {
    static const Op op{"power_backward", "power_backward", "∂x = ∂y · p · x^(p-1)", infer_slope, elementwise_cost<12>, nullptr};
    return op;
}
const Op& clamp_gradient() {
    static const Op op{"clamp_backward", "clamp_backward", "∂x = ∂y where low < x < high, else 0", infer_slope,
                       elementwise_cost<2>, nullptr};
    return op;
}
const Op& leaky_relu_gradient() {
    static const Op op{"leaky_relu_backward", "leaky_relu_backward", "∂x = ∂y where x > 0, else s · ∂y", infer_slope,
                       elementwise_cost<2>, nullptr};
    return op;
}
const Op& gelu_tanh_gradient() {
    static const Op op{"gelu_tanh_backward", "gelu_tanh_backward", "∂x = ∂y · (σ(2u) + 2x · σ(2u) · σ(-2u) · u')", infer_slope,
                       elementwise_cost<18>, nullptr};
    return op;
}

} // namespace

namespace ops {

const Op& negate() {
    static const Op op{"negate", "negate", "y = -x", infer_function<negate>, elementwise_cost<1>, negate_backward};
    return op;
}
const Op& exp() {
    static const Op op{
        "exp", "exp", "y = e^x", infer_function<exp>, elementwise_cost<4>, function_backward<multiply, Saved::output>};
    return op;
}
const Op& log() {
    static const Op op{
        "log", "log", "y = ln x", infer_function<log>, elementwise_cost<4>, function_backward<divide, Saved::input>};
    return op;
}
const Op& sqrt() {
    static const Op op{"sqrt", "sqrt", "y = √x", infer_function<sqrt>, elementwise_cost<1>,
                       function_backward<sqrt_gradient, Saved::output>};
    return op;
}
const Op& reciprocal() {
    static const Op op{"reciprocal", "reciprocal", "y = 1 / x", infer_function<reciprocal>, elementwise_cost<1>,
                       function_backward<reciprocal_gradient, Saved::output>};
    return op;
}
const Op& abs() {
    static const Op op{"abs", "abs", "y = |x|", infer_function<abs>, elementwise_cost<1>,
                       function_backward<abs_gradient, Saved::input>};
    return op;
}
const Op& power() {
    static const Op op{"power", "power", "y = x^p", infer_function<power>, elementwise_cost<10>,
                       function_backward<power_gradient, Saved::input>};
    return op;
}
const Op& clamp() {
    static const Op op{"clamp", "clamp", "y = min(max(x, low), high)", infer_clamp, elementwise_cost<2>,
                       function_backward<clamp_gradient, Saved::input>};
    return op;
}
const Op& leaky_relu() {
    static const Op op{"leaky_relu",
                       "leaky_relu",
                       "y = x where x > 0, else s · x",
                       infer_function<leaky_relu>,
                       elementwise_cost<2>,
                       function_backward<leaky_relu_gradient, Saved::input>};
    return op;
}
const Op& gelu_tanh() {
    static const Op op{"gelu_tanh", "gelu_tanh", "y = x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))", infer_function<gelu_tanh>,
                       elementwise_cost<9>, function_backward<gelu_tanh_gradient, Saved::input>};
    return op;
}

} // namespace ops

} // namespace gradus
