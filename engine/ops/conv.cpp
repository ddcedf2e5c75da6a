#include "engine/ops/conv.hpp"

#include "engine/ops/op_parts.hpp"
#include "engine/ops/reduce.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

constexpr std::string_view sizes_wanted = "integer strides and dilations of at least 1 and paddings of at least 0";

/// The call's window, with the kernel's sizes taken from a weight (…, …, kh, kw).
Window2d window_of(std::string_view op, const Tape& tape, Inputs in, const Attributes& attributes,
                   const Shape* weight = nullptr) {
    expect(Window2d::valid(attributes), op, tape, in, sizes_wanted);
    Window2d window = Window2d::from(attributes);
    if (weight) window.kernel_h = (*weight)[2], window.kernel_w = (*weight)[3];
    expect(window.kernel_h >= 1 && window.kernel_w >= 1, op, tape, in, "a window of at least 1 × 1");
    return window;
}

void expect_images_and_weight(std::string_view op, const Tape& tape, Inputs in) {
    const Value &x = tape.value(in[0]), &w = tape.value(in[1]);
    expect((in.size() == 2 || in.size() == 3) && x.shape.rank() == 4 && w.shape.rank() == 4 && x.dtype == w.dtype &&
               is_floating(x.dtype),
           op, tape, in, "images (N, C, H, W), a weight of rank 4 of the same floating type, and a bias or none");
    expect(x.shape[1] >= 1 && x.shape[2] >= 1 && x.shape[3] >= 1 && w.shape.elements() >= 1, op, tape, in,
           "channels, planes and a weight that are not empty");
}

void expect_bias(std::string_view op, const Tape& tape, Inputs in, Dim channels) {
    if (in.size() < 3) return;
    const Value &x = tape.value(in[0]), &bias = tape.value(in[2]);
    expect(bias.shape.rank() == 1 && bias.shape[0] == channels && bias.dtype == x.dtype, op, tape, in,
           "one bias per output channel");
}

/// (N, O, H', W') with the axes of the images and the channels of a weight's axis.
Value images(const Value& like, Axis channels, Dim height, Dim width) {
    return output({{like.shape[0], like.shape.name(0)}, channels, {height, like.shape.name(2)}, {width, like.shape.name(3)}},
                  like.dtype);
}

/// Two FLOPs for every entry of the tensor that lies at the window's positions and every weight that meets it. The tensors are
/// input numbers; -1 is output 0.
template <int Positions, int Weight> Cost conv_cost(const Tape& tape, const Node& node) {
    const auto value = [&](int i) -> const Value& {
        return tape.value(i < 0 ? node.outputs[0] : node.inputs[static_cast<std::size_t>(i)]);
    };
    Cost cost = elementwise_cost<0>(tape, node);
    const Shape& weight = value(Weight).shape;
    cost.flops =
        2.0 * static_cast<double>(value(Positions).shape.elements()) * static_cast<double>(weight[1] * weight[2] * weight[3]);
    return cost;
}

// --- conv2d --------------------------------------------------------------------------------------------------

std::vector<Value> infer_convolution(std::string_view op, const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_images_and_weight(op, tape, in);
    const Value &x = tape.value(in[0]), &w = tape.value(in[1]);
    const Window2d window = window_of(op, tape, in, attributes, &w.shape);
    expect(window.groups >= 1 && x.shape[1] == w.shape[1] * window.groups && w.shape[0] % window.groups == 0, op, tape, in,
           fmt::format("a weight (O, C/groups, kh, kw) whose C and O divide into {} groups", window.groups));
    expect_bias(op, tape, in, w.shape[0]);
    const Dim height = window.positions_h(x.shape[2]), width = window.positions_w(x.shape[3]);
    expect(height >= 1 && width >= 1, op, tape, in, "a window that fits into the padded plane");
    return {images(x, {w.shape[0], w.shape.name(0)}, height, width)};
}

std::vector<Value> infer_conv2d(const Tape& tape, Inputs in, const Attributes& attributes) {
    return infer_convolution("conv2d", tape, in, attributes);
}
std::vector<Value> infer_conv2d_direct(const Tape& tape, Inputs in, const Attributes& attributes) {
    return infer_convolution("conv2d_direct", tape, in, attributes);
}

/// dy (N, O, H', W'), w (O, C/groups, kh, kw) -> dx (N, C, image_h, image_w).
std::vector<Value> infer_input_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "conv2d_backward_input";
    expect_images_and_weight(op, tape, in);
    const Value &dy = tape.value(in[0]), &w = tape.value(in[1]);
    const Window2d window = window_of(op, tape, in, attributes, &w.shape);
    expect(dy.shape[1] == w.shape[0] && window.groups >= 1 && w.shape[0] % window.groups == 0, op, tape, in,
           "dy (N, O, H', W') and w (O, C/groups, kh, kw)");
    expect(dy.shape[2] <= window.positions_h(window.image_h) && dy.shape[3] <= window.positions_w(window.image_w), op, tape, in,
           "as many positions as the window has on the image");
    return {images(dy, {w.shape[1] * window.groups, w.shape.name(1)}, window.image_h, window.image_w)};
}

/// dy (N, O, H', W'), x (N, C, H, W) -> dw (O, C/groups, kernel_h, kernel_w).
std::vector<Value> infer_weight_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "conv2d_backward_weight";
    const Value &dy = tape.value(in[0]), &x = tape.value(in[1]);
    expect(in.size() == 2 && dy.shape.rank() == 4 && x.shape.rank() == 4 && dy.shape[0] == x.shape[0] && dy.dtype == x.dtype &&
               is_floating(x.dtype),
           op, tape, in, "dy (N, O, H', W') and x (N, C, H, W) of one floating type");
    const Window2d window = window_of(op, tape, in, attributes);
    expect(window.groups >= 1 && x.shape[1] % window.groups == 0 && dy.shape[1] % window.groups == 0, op, tape, in,
           "channels that divide into the groups");
    expect(dy.shape[2] <= window.positions_h(x.shape[2]) && dy.shape[3] <= window.positions_w(x.shape[3]), op, tape, in,
           "as many positions as the window has on the image");
    return {output({{dy.shape[1], dy.shape.name(1)},
                    {x.shape[1] / window.groups, x.shape.name(1)},
                    {window.kernel_h, "kh"},
                    {window.kernel_w, "kw"}},
                   x.dtype, Role::gradient)};
}

const Op& input_gradient() {
    static const Op op{"conv2d_backward_input", "conv2d_backward_input", "∂x = col2im(wᵀ · ∂y)",
                       infer_input_gradient,    conv_cost<0, 1>,         nullptr};
    return op;
}
const Op& weight_gradient() {
    static const Op op{"conv2d_backward_weight", "conv2d_backward_weight", "∂w = Σ_n ∂y_n · im2col(x_n)ᵀ",
                       infer_weight_gradient,    conv_cost<0, -1>,         nullptr};
    return op;
}
const Op& direct_input_gradient() {
    static const Op op{"conv2d_direct_backward_input",
                       "conv2d_direct_backward_input",
                       "∂x_n,c,h,w = Σ_o,i,j w_o,c,i,j · ∂y_n,o,(h+p-i·d)/s,(w+p-j·d)/s",
                       infer_input_gradient,
                       conv_cost<0, 1>,
                       nullptr};
    return op;
}
const Op& direct_weight_gradient() {
    static const Op op{"conv2d_direct_backward_weight",
                       "conv2d_direct_backward_weight",
                       "∂w_o,c,i,j = Σ_n,h',w' ∂y_n,o,h',w' · x_n,c,h'·s-p+i·d,w'·s-p+j·d",
                       infer_weight_gradient,
                       conv_cost<0, -1>,
                       nullptr};
    return op;
}

// y = b at every position, so ∂b_o = Σ_n,h',w' ∂y_n,o,h',w'.
void contribute_bias(Tape& tape, const Node& node, NodeIndex index) {
    if (node.inputs.size() < 3 || !tape.value(node.inputs[2]).requires_grad) return;
    tape.contribute(node.inputs[2], ops::sum(), index, {tape.value(node.outputs[0]).gradient}, reduce_over({0, 2, 3}));
}

// y_n (O, P) = w (O, K) · columns_n (K, P), so ∂columns (K, P) = wᵀ (K, O) · ∂y (O, P), which col2im sums onto ∂x, and
// ∂w (O, K) = Σ_n ∂y_n (O, P) · columns_nᵀ (P, K). The columns are made anew: keeping them would take kh·kw times the memory of
// x.
template <const Op& (*InputGradient)(), const Op& (*WeightGradient)()> void conv2d_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], w = node.inputs[1], dy = tape.value(node.outputs[0]).gradient;
    Window2d window = Window2d::from(node.call.attributes);
    const Shape image = tape.value(x).shape, weight = tape.value(w).shape;
    window.image_h = image[2], window.image_w = image[3];
    window.kernel_h = weight[2], window.kernel_w = weight[3];
    if (tape.value(w).requires_grad) tape.contribute(w, WeightGradient(), index, {dy, x}, window.attributes());
    contribute_bias(tape, node, index);
    if (tape.value(x).requires_grad) tape.contribute(x, InputGradient(), index, {dy, w}, window.attributes());
}

// --- conv_transpose2d ----------------------------------------------------------------------------------------

std::vector<Value> infer_conv_transpose2d(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "conv_transpose2d";
    expect_images_and_weight(op, tape, in);
    const Value &x = tape.value(in[0]), &w = tape.value(in[1]);
    const Window2d window = window_of(op, tape, in, attributes, &w.shape);
    expect(x.shape[1] == w.shape[0] && window.groups >= 1 && w.shape[0] % window.groups == 0, op, tape, in,
           fmt::format("a weight (C, O/groups, kh, kw) whose C divides into {} groups", window.groups));
    const Dim channels = w.shape[1] * window.groups;
    expect_bias(op, tape, in, channels);
    expect(window.output_padding_h < std::max(window.stride_h, window.dilation_h) &&
               window.output_padding_w < std::max(window.stride_w, window.dilation_w),
           op, tape, in, "an output padding below the stride or the dilation");
    const auto size = [](Dim positions, Dim kernel, Dim stride, Dim padding, Dim dilation, Dim more) {
        return (positions - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1 + more;
    };
    const Dim height =
        size(x.shape[2], window.kernel_h, window.stride_h, window.padding_h, window.dilation_h, window.output_padding_h);
    const Dim width =
        size(x.shape[3], window.kernel_w, window.stride_w, window.padding_w, window.dilation_w, window.output_padding_w);
    expect(height >= 1 && width >= 1, op, tape, in, "an output that the padding leaves something of");
    return {images(x, {channels, w.shape.name(1)}, height, width)};
}

/// dy (N, O, H', W'), w (C, O/groups, kh, kw) -> dx (N, C, image_h, image_w): conv2d, whose result may have fewer positions
/// than fit.
std::vector<Value> infer_transpose_input_gradient(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "conv_transpose2d_backward_input";
    const Value conv = infer_convolution(op, tape, in, attributes)[0];
    const Window2d window = Window2d::from(attributes);
    expect(window.image_h <= conv.shape[2] && window.image_w <= conv.shape[3], op, tape, in,
           "as many positions as the window has on the image");
    return {images(conv, {conv.shape[1], conv.shape.name(1)}, window.image_h, window.image_w)};
}

const Op& transpose_input_gradient() {
    static const Op op{"conv_transpose2d_backward_input", "conv2d",         "∂x = conv2d(∂y, w)",
                       infer_transpose_input_gradient,    conv_cost<-1, 1>, nullptr};
    return op;
}

// conv_transpose2d is what maps ∂y to ∂x in conv2d, with the parts of x and y exchanged: so its own ∂x is a conv2d of ∂y, and
// its ∂w conv2d's with x where ∂y stood and ∂y where x stood.
void conv_transpose2d_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], w = node.inputs[1], dy = tape.value(node.outputs[0]).gradient;
    Window2d window = Window2d::from(node.call.attributes);
    const Shape positions = tape.value(x).shape, weight = tape.value(w).shape;
    window.image_h = positions[2], window.image_w = positions[3];
    window.kernel_h = weight[2], window.kernel_w = weight[3];
    if (tape.value(w).requires_grad) tape.contribute(w, weight_gradient(), index, {x, dy}, window.attributes());
    contribute_bias(tape, node, index);
    if (tape.value(x).requires_grad) tape.contribute(x, transpose_input_gradient(), index, {dy, w}, window.attributes());
}

// --- im2col --------------------------------------------------------------------------------------------------

std::vector<Value> infer_im2col(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "im2col";
    const Value& x = tape.value(in[0]);
    expect(x.shape.rank() == 4 && is_floating(x.dtype) && x.shape[1] >= 1 && x.shape[2] >= 1 && x.shape[3] >= 1, op, tape, in,
           "images (N, C, H, W) of a floating type whose planes are not empty");
    const Window2d window = window_of(op, tape, in, attributes);
    const Dim height = window.positions_h(x.shape[2]), width = window.positions_w(x.shape[3]);
    expect(height >= 1 && width >= 1, op, tape, in, "a window that fits into the padded plane");
    return {output(
        {{x.shape[0], x.shape.name(0)}, {x.shape[1] * window.kernel_h * window.kernel_w, "C·k·k"}, {height * width, "H'·W'"}},
        x.dtype)};
}

std::vector<Value> infer_col2im(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "col2im";
    const Value& x = tape.value(in[0]);
    expect(x.shape.rank() == 3 && is_floating(x.dtype), op, tape, in, "columns (N, C·kh·kw, H'·W') of a floating type");
    const Window2d window = window_of(op, tape, in, attributes);
    const Dim height = window.positions_h(window.image_h), width = window.positions_w(window.image_w);
    expect(window.image_h >= 1 && window.image_w >= 1 && height >= 1 && width >= 1 && x.shape[2] == height * width, op, tape, in,
           fmt::format("columns of a window's {} × {} positions on an image of {} × {}", height, width, window.image_h,
                       window.image_w));
    expect(x.shape[1] >= 1 && x.shape[1] % (window.kernel_h * window.kernel_w) == 0, op, tape, in,
           fmt::format("rows that are channels of a {} × {} window", window.kernel_h, window.kernel_w));
    return {output({{x.shape[0], x.shape.name(0)},
                    {x.shape[1] / (window.kernel_h * window.kernel_w), "C"},
                    {window.image_h, "H"},
                    {window.image_w, "W"}},
                   x.dtype)};
}

// Every entry of x goes to the windows above it, so ∂x is the sum of what comes back from them: col2im.
void im2col_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0];
    if (!tape.value(x).requires_grad) return;
    Window2d window = Window2d::from(node.call.attributes);
    window.image_h = tape.value(x).shape[2], window.image_w = tape.value(x).shape[3];
    tape.contribute(x, ops::col2im(), index, {tape.value(node.outputs[0]).gradient}, window.attributes());
}

void col2im_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    if (!tape.value(node.inputs[0]).requires_grad) return;
    tape.contribute(node.inputs[0], ops::im2col(), index, {tape.value(node.outputs[0]).gradient},
                    Window2d::from(node.call.attributes).attributes());
}

} // namespace

namespace ops {

const Op& conv2d() {
    static const Op op{"conv2d",     "conv2d",         "y = w · im2col(x) + b",
                       infer_conv2d, conv_cost<-1, 1>, conv2d_backward<input_gradient, weight_gradient>};
    return op;
}
const Op& conv2d_direct() {
    static const Op op{
        "conv2d_direct",     "conv2d_direct",  "y_n,o,h',w' = b_o + Σ_c,i,j w_o,c,i,j · x_n,c,h'·s-p+i·d,w'·s-p+j·d",
        infer_conv2d_direct, conv_cost<-1, 1>, conv2d_backward<direct_input_gradient, direct_weight_gradient>};
    return op;
}
const Op& conv_transpose2d() {
    static const Op op{"conv_transpose2d",     "conv_transpose2d", "y_n,o,h·s-p+i·d,w·s-p+j·d += w_c,o,i,j · x_n,c,h,w",
                       infer_conv_transpose2d, conv_cost<0, 1>,    conv_transpose2d_backward};
    return op;
}
const Op& im2col() {
    static const Op op{
        "im2col",       "im2col", "y_n,(c,i,j),(h',w') = x_n,c,h'·s-p+i·d,w'·s-p+j·d", infer_im2col, elementwise_cost<0>,
        im2col_backward};
    return op;
}
const Op& col2im() {
    static const Op op{"col2im",     "col2im",          "y_n,c,h'·s-p+i·d,w'·s-p+j·d += x_n,(c,i,j),(h',w')",
                       infer_col2im, reduction_cost<1>, col2im_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> conv_ops() {
    static const std::array<const Op*, 5> list{&ops::conv2d(), &ops::conv2d_direct(), &ops::conv_transpose2d(), &ops::im2col(),
                                               &ops::col2im()};
    return list;
}

} // namespace gradus
