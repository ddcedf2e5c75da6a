#include "engine/ops/pool.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

void expect_images(std::string_view op, const Tape& tape, Inputs in) {
    const Value& x = tape.value(in[0]);
    expect(in.size() == 1 && x.shape.rank() == 4 && is_floating(x.dtype) && x.shape[1] >= 1 && x.shape[2] >= 1 && x.shape[3] >= 1,
           op, tape, in, "images (N, C, H, W) of a floating type whose planes are not empty");
}

/// Whether every window has a tap inside the axis: a dilated one can step over a short one.
bool all_meet(Dim size, Dim positions, Dim kernel, Dim stride, Dim padding, Dim dilation) {
    for (Dim position = 0; position < positions; ++position) {
        const Dim start = position * stride - padding;
        const Dim first = start >= 0 ? start : start + (-start + dilation - 1) / dilation * dilation;
        if (first >= size || first > start + (kernel - 1) * dilation) return false;
    }
    return true;
}

Shape positions_of(std::string_view op, const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_images(op, tape, in);
    expect(Window2d::valid(attributes), op, tape, in, "integer strides and dilations of at least 1 and paddings of at least 0");
    const Window2d window = Window2d::from(attributes);
    expect(window.kernel_h >= 1 && window.kernel_w >= 1, op, tape, in, "a window of at least 1 × 1");
    expect(2 * window.padding_h <= window.kernel_h && 2 * window.padding_w <= window.kernel_w, op, tape, in,
           "a padding of at most half the window");
    const Shape& x = tape.value(in[0]).shape;
    const Dim height = window.positions_h(x[2]), width = window.positions_w(x[3]);
    expect(height >= 1 && width >= 1, op, tape, in, "a window that fits into the padded plane");
    expect(all_meet(x[2], height, window.kernel_h, window.stride_h, window.padding_h, window.dilation_h) &&
               all_meet(x[3], width, window.kernel_w, window.stride_w, window.padding_w, window.dilation_w),
           op, tape, in, "a window that meets the plane wherever it stands");
    return {{x[0], x.name(0)}, {x[1], x.name(1)}, {height, x.name(2)}, {width, x.name(3)}};
}

std::vector<Value> infer_max_pool2d(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Shape shape = positions_of("max_pool2d", tape, in, attributes);
    const Value& x = tape.value(in[0]);
    expect(x.shape[2] * x.shape[3] < (Dim{1} << 31), "max_pool2d", tape, in, "planes whose places an int32 can count");
    return {output(shape, x.dtype), output(shape, DType::i32)};
}

std::vector<Value> infer_avg_pool2d(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Shape shape = positions_of("avg_pool2d", tape, in, attributes);
    expect(attributes[4] == 1 && attributes[5] == 1, "avg_pool2d", tape, in, "a window without dilation");
    return {output(shape, tape.value(in[0]).dtype)};
}

std::vector<Value> infer_global_avg_pool(const Tape& tape, Inputs in, const Attributes&) {
    expect_images("global_avg_pool", tape, in);
    const Value& x = tape.value(in[0]);
    return {output({{x.shape[0], x.shape.name(0)}, {x.shape[1], x.shape.name(1)}, {1, x.shape.name(2)}, {1, x.shape.name(3)}},
                   x.dtype)};
}

/// Inputs begin with dy (N, C, H', W'); the plane is in the attributes.
std::vector<Value> infer_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& dy = tape.value(in[0]);
    expect(dy.shape.rank() == 4 && is_floating(dy.dtype), "a pool's gradient", tape, in, "dy (N, C, H', W')");
    const Window2d window = Window2d::from(attributes);
    return {output({{dy.shape[0], dy.shape.name(0)},
                    {dy.shape[1], dy.shape.name(1)},
                    {window.image_h, dy.shape.name(2)},
                    {window.image_w, dy.shape.name(3)}},
                   dy.dtype, Role::gradient)};
}

/// One operation per entry of a window.
template <int Positions> Cost window_cost(const Tape& tape, const Node& node) {
    const Value& positions = tape.value(Positions < 0 ? node.outputs[0] : node.inputs[0]);
    Cost cost = elementwise_cost<0>(tape, node);
    cost.flops = static_cast<double>(positions.shape.elements()) * node.call.attributes[7] * node.call.attributes[8];
    return cost;
}

const Op& max_pool2d_gradient() {
    static const Op op{"max_pool2d_backward", "max_pool2d_backward", "∂x_switch += ∂y",
                       infer_gradient,        reduction_cost<1>,     nullptr};
    return op;
}
const Op& avg_pool2d_gradient() {
    static const Op op{"avg_pool2d_backward", "avg_pool2d_backward", "∂x_window += ∂y / n",
                       infer_gradient,        window_cost<0>,        nullptr};
    return op;
}
const Op& global_avg_pool_gradient() {
    static const Op op{
        "global_avg_pool_backward", "global_avg_pool_backward", "∂x = ∂y / (H·W)", infer_gradient, elementwise_cost<0>, nullptr};
    return op;
}

/// The gradient's node reads ∂y, and the switches where there are some; never x, of which only the plane's sizes matter.
template <const Op& (*Gradient)()> void pool_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0];
    if (!tape.value(x).requires_grad) return;
    Window2d window = Window2d::from(node.call.attributes);
    window.image_h = tape.value(x).shape[2], window.image_w = tape.value(x).shape[3];
    std::vector<ValueIndex> inputs{tape.value(node.outputs[0]).gradient};
    if (node.outputs.size() > 1) inputs.push_back(node.outputs[1]);
    tape.contribute(x, Gradient(), index, std::move(inputs), window.attributes());
}

} // namespace

namespace ops {

const Op& max_pool2d() {
    static const Op op{"max_pool2d",     "max_pool2d",    "y = max x of each window",
                       infer_max_pool2d, window_cost<-1>, pool_backward<max_pool2d_gradient>};
    return op;
}
const Op& avg_pool2d() {
    static const Op op{"avg_pool2d",     "avg_pool2d",    "y = Σ x of each window / n",
                       infer_avg_pool2d, window_cost<-1>, pool_backward<avg_pool2d_gradient>};
    return op;
}
const Op& global_avg_pool() {
    static const Op op{"global_avg_pool",     "global_avg_pool", "y_n,c = Σ_h,w x_n,c,h,w / (H·W)",
                       infer_global_avg_pool, reduction_cost<1>, pool_backward<global_avg_pool_gradient>};
    return op;
}

} // namespace ops

std::span<const Op* const> pool_ops() {
    static const std::array<const Op*, 3> list{&ops::max_pool2d(), &ops::avg_pool2d(), &ops::global_avg_pool()};
    return list;
}

} // namespace gradus
