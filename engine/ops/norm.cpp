#include "engine/ops/norm.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

/// Means and deviations keep the digits that their gradients need: fp32 beside fp16 and bf16.
DType statistics_type(DType dtype) { return dtype == DType::f64 ? DType::f64 : DType::f32; }

/// Whether the inputs from `from` on are vectors of `channels` numbers of x's type.
bool vectors(const Tape& tape, Inputs in, std::size_t from, std::size_t until, Dim channels, DType dtype) {
    for (std::size_t i = from; i < until; ++i) {
        const Value& v = tape.value(in[i]);
        if (v.shape.rank() != 1 || v.shape[0] != channels || v.dtype != dtype) return false;
    }
    return true;
}

void expect_positive_eps(std::string_view op, const Attributes& attributes) {
    if (!(attributes[0] >= 0)) throw ShapeError(fmt::format("{} expects an eps of at least 0, not {}", op, attributes[0]));
}

// --- rows: layer_norm, rms_norm and their fused forms ----------------------------------------------------------

/// (x, w, b?) or (x, r, w, b?) of rows (…, C).
void expect_rows(std::string_view op, const Tape& tape, Inputs in, const Attributes& attributes, bool adds, bool has_bias) {
    const Value& x = tape.value(in[0]);
    const std::size_t first = adds ? 2 : 1, count = first + (has_bias ? 2 : 1);
    expect(in.size() == count && x.shape.rank() >= 1 && is_floating(x.dtype), op, tape, in,
           adds ? "x and r of rows (…, C) of a floating type, and vectors (C)"
                : "x of rows (…, C) of a floating type, and vectors (C)");
    if (adds) {
        const Value& r = tape.value(in[1]);
        expect(x.shape.same_sizes(r.shape) && x.dtype == r.dtype, op, tape, in, "x and r of one shape and type");
    }
    expect(vectors(tape, in, first, count, x.shape[x.shape.rank() - 1], x.dtype), op, tape, in,
           "vectors as long as a row of x, of its type");
    expect_positive_eps(op, attributes);
}

Value row_statistic(const Value& x) {
    Shape shape;
    for (int axis = 0; axis + 1 < x.shape.rank(); ++axis) shape.append({x.shape[axis], x.shape.name(axis)});
    shape.append({1, x.shape.name(x.shape.rank() - 1)});
    return output(shape, statistics_type(x.dtype));
}

template <bool Adds, bool Centers> std::vector<Value> infer_row_norm(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view names[2][2] = {{"rms_norm", "layer_norm"}, {"add_rms_norm", "add_layer_norm"}};
    expect_rows(names[Adds][Centers], tape, in, attributes, Adds, Centers);
    const Value& x = tape.value(in[0]);
    std::vector<Value> out;
    if (Adds) out.push_back(output(x.shape, x.dtype));
    out.push_back(output(x.shape, x.dtype));
    if (Centers) out.push_back(row_statistic(x));
    out.push_back(row_statistic(x));
    return out;
}

/// (dy, x, w, …) -> dx, dw and, where there is one, db.
template <bool HasBias> std::vector<Value> infer_gradient(const Tape& tape, Inputs in, const Attributes&) {
    const Value &dy = tape.value(in[0]), &x = tape.value(in[1]), &w = tape.value(in[2]);
    expect(dy.shape.same_sizes(x.shape) && dy.dtype == x.dtype, "a normalisation's gradient", tape, in,
           "dy and x of one shape and type");
    for (const ValueIndex index : in)
        expect(is_floating(tape.value(index).dtype) && (tape.value(index).dtype == DType::f64) == (x.dtype == DType::f64),
               "a normalisation's gradient", tape, in, "statistics in fp64 where x is, else in fp32 or x's type");
    std::vector<Value> out{output(x.shape, x.dtype, Role::gradient), output(w.shape, w.dtype, Role::gradient)};
    if (HasBias) out.push_back(output(w.shape, w.dtype, Role::gradient));
    return out;
}

const Op& layer_norm_gradient() {
    static const Op op{"layer_norm_backward",
                       "layer_norm_backward",
                       "∂x = rstd · (g - mean g - x̂ · mean(g · x̂)), g = ∂y · w, ∂w = Σ ∂y · x̂, ∂b = Σ ∂y",
                       infer_gradient<true>,
                       elementwise_cost<14>,
                       nullptr};
    return op;
}
const Op& add_layer_norm_gradient() {
    static const Op op{"add_layer_norm_backward",
                       "layer_norm_backward",
                       "∂x = ∂s + rstd · (g - mean g - ŝ · mean(g · ŝ)), g = ∂y · w, ∂w = Σ ∂y · ŝ, ∂b = Σ ∂y",
                       infer_gradient<true>,
                       elementwise_cost<15>,
                       nullptr,
                       "layer_norm_backward + add"};
    return op;
}
const Op& rms_norm_gradient() {
    static const Op op{
        "rms_norm_backward",   "rms_norm_backward",  "∂x = rstd · (g - x̂ · mean(g · x̂)), g = ∂y · w, ∂w = Σ ∂y · x̂",
        infer_gradient<false>, elementwise_cost<11>, nullptr};
    return op;
}
const Op& add_rms_norm_gradient() {
    static const Op op{
        "add_rms_norm_backward",  "rms_norm_backward",  "∂x = ∂s + rstd · (g - ŝ · mean(g · ŝ)), g = ∂y · w, ∂w = Σ ∂y · ŝ",
        infer_gradient<false>,    elementwise_cost<12>, nullptr,
        "rms_norm_backward + add"};
    return op;
}

void refuse_gradients_of(const Tape& tape, const Node& node, std::size_t from) {
    for (std::size_t i = from; i < node.outputs.size(); ++i)
        if (tape.value(node.outputs[i]).gradient != no_value)
            throw Error(fmt::format("{} has no gradient through its statistics, but the loss depends on {}", node.op->name,
                                    tape.value(node.outputs[i]).name));
}

/// Appends the one node of a gradient, gives its outputs to the targets x, w and, where there is one, b, and returns them.
std::vector<ValueIndex> share_gradients(Tape& tape, const Op& op, const Node& node, NodeIndex index,
                                        std::vector<ValueIndex> inputs, std::span<const ValueIndex> targets) {
    Attributes attributes{};
    for (std::size_t i = 0; i < attributes.size(); ++i) attributes[i] = node.call.attributes[i];
    std::vector<std::string> names;
    for (const ValueIndex target : targets) names.push_back("d" + tape.value(target).name);
    const std::vector<ValueIndex> gradients = tape.on_the_way_back(op, index, std::move(inputs), std::move(names), attributes);
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (tape.value(targets[i]).requires_grad) tape.share_gradient(targets[i], index, gradients[i]);
    return gradients;
}

// With x̂ = (x - mean) · rstd and y = x̂ · w + b, and g = ∂y · w: mean and rstd depend on all x of a row, which takes from g its
// part along 1 and along x̂: ∂x = rstd · (g - mean(g) - x̂ · mean(g · x̂)). Without centring, the part along 1 stays.
// Where s = x + r is normalised, ∂x = ∂r = that and what comes to s from elsewhere.
template <bool Adds, bool Centers> void row_norm_backward(Tape& tape, NodeIndex index) {
    constexpr std::size_t weight = Adds ? 2 : 1;
    const Node node = tape.node(index);
    refuse_gradients_of(tape, node, weight);
    const ValueIndex dy = tape.value(node.outputs[weight - 1]).gradient,
                     ds = Adds ? tape.value(node.outputs[0]).gradient : no_value;
    const auto share_with_residual = [&](ValueIndex gradient) {
        if (Adds && tape.value(node.inputs[1]).requires_grad) tape.share_gradient(node.inputs[1], index, gradient);
    };
    if (dy == no_value) { // only the sum is used
        if (tape.value(node.inputs[0]).requires_grad) tape.share_gradient(node.inputs[0], index, ds);
        return share_with_residual(ds);
    }
    std::vector<ValueIndex> inputs{dy, Adds ? node.outputs[0] : node.inputs[0], node.inputs[weight]};
    inputs.insert(inputs.end(), node.outputs.begin() + weight, node.outputs.end());
    if (ds != no_value) inputs.push_back(ds);
    std::vector<ValueIndex> targets{node.inputs[0], node.inputs[weight]};
    if (Centers) targets.push_back(node.inputs[weight + 1]);
    const Op& op = Adds ? (Centers ? add_layer_norm_gradient() : add_rms_norm_gradient())
                        : (Centers ? layer_norm_gradient() : rms_norm_gradient());
    share_with_residual(share_gradients(tape, op, node, index, std::move(inputs), targets)[0]);
}

// --- channels: batch_norm, group_norm ------------------------------------------------------------------------

/// x (N, C, …), w (C), b (C), and for batch_norm two running statistics (C).
void expect_channels(std::string_view op, const Tape& tape, Inputs in, const Attributes& attributes, std::size_t count) {
    const Value& x = tape.value(in[0]);
    expect(in.size() == count && x.shape.rank() >= 2 && x.shape[1] >= 1 && is_floating(x.dtype), op, tape, in,
           count == 3 ? "x (N, C, …) of a floating type, weights and biases (C)"
                      : "x (N, C, …) of a floating type, weights, biases, running means and variances (C)");
    const DType weights = tape.value(in[1]).dtype;
    expect((weights == x.dtype || (count == 5 && weights == statistics_type(x.dtype))) &&
               vectors(tape, in, 1, 3, x.shape[1], weights),
           op, tape, in, "a weight and a bias per channel of x, of its type or, of a batch's, in fp32 beside fp16 and bf16");
    if (count == 5) {
        const DType running = tape.value(in[3]).dtype;
        expect((running == x.dtype || running == statistics_type(x.dtype)) && vectors(tape, in, 3, 5, x.shape[1], running), op,
               tape, in, "running statistics per channel of x, of its type or in fp32 beside fp16 and bf16");
    }
    expect_positive_eps(op, attributes);
}

std::vector<Value> infer_batch_norm(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "batch_norm";
    expect_channels(op, tape, in, attributes, 5);
    const Value &x = tape.value(in[0]), &running = tape.value(in[3]);
    expect(x.shape.elements() != x.shape[1], op, tape, in, "more than one value per channel: a single one has no variance");
    const Shape channels{{x.shape[1], x.shape.name(1)}};
    return {output(x.shape, x.dtype), output(channels, statistics_type(x.dtype)), output(channels, statistics_type(x.dtype)),
            output(channels, running.dtype, Role::optimizer_state), output(channels, running.dtype, Role::optimizer_state)};
}

std::vector<Value> infer_batch_norm_inference(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect_channels("batch_norm_inference", tape, in, attributes, 5);
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype)};
}

std::vector<Value> infer_group_norm(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "group_norm";
    expect_channels(op, tape, in, attributes, 3);
    const Value& x = tape.value(in[0]);
    const Dim groups = whole_number(op, "the number of groups", attributes[1], 1, x.shape[1] + 1);
    expect(x.shape[1] % groups == 0, op, tape, in, fmt::format("channels that divide into {} groups", groups));
    expect(x.shape[0] == 0 || x.shape.elements() > 0, op, tape, in, "planes that are not empty");
    const Shape shape{{x.shape[0], x.shape.name(0)}, {groups, "group"}};
    return {output(x.shape, x.dtype), output(shape, statistics_type(x.dtype)), output(shape, statistics_type(x.dtype))};
}

const Op& batch_norm_gradient() {
    static const Op op{"batch_norm_backward",
                       "batch_norm_backward",
                       "∂x = w · rstd · (∂y - mean ∂y - x̂ · mean(∂y · x̂)), ∂w = Σ ∂y · x̂, ∂b = Σ ∂y",
                       infer_gradient<true>,
                       elementwise_cost<13>,
                       nullptr};
    return op;
}
const Op& batch_norm_inference_gradient() {
    static const Op op{"batch_norm_inference_backward",
                       "batch_norm_inference_backward",
                       "∂x = ∂y · w / √(var + eps), ∂w = Σ ∂y · x̂, ∂b = Σ ∂y",
                       infer_gradient<true>,
                       elementwise_cost<7>,
                       nullptr};
    return op;
}
const Op& group_norm_gradient() {
    static const Op op{"group_norm_backward",
                       "group_norm_backward",
                       "∂x = rstd · (g - mean g - x̂ · mean(g · x̂)), g = ∂y · w, ∂w = Σ ∂y · x̂, ∂b = Σ ∂y",
                       infer_gradient<true>,
                       elementwise_cost<14>,
                       nullptr};
    return op;
}

// As for rows, the mean over a channel of the batch, or over a group of channels; from saved statistics, or from running ones,
// which are constants.
template <const Op& (*Gradient)()> void channel_norm_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    refuse_gradients_of(tape, node, 1);
    std::vector<ValueIndex> inputs{tape.value(node.outputs[0]).gradient, node.inputs[0], node.inputs[1]};
    if (node.op == &ops::batch_norm_inference()) inputs.insert(inputs.end(), {node.inputs[3], node.inputs[4]});
    if (node.op == &ops::batch_norm()) inputs.push_back(node.outputs[1]);
    if (node.op != &ops::batch_norm_inference()) inputs.push_back(node.outputs[2]);
    share_gradients(tape, Gradient(), node, index, std::move(inputs), std::span(node.inputs).first(3));
}

} // namespace

namespace ops {

const Op& batch_norm() {
    static const Op op{"batch_norm",     "batch_norm",        "y = (x - mean) · rstd · w + b over the batch",
                       infer_batch_norm, elementwise_cost<8>, channel_norm_backward<batch_norm_gradient>};
    return op;
}
const Op& batch_norm_inference() {
    static const Op op{
        "batch_norm_inference",     "batch_norm_inference", "y = (x - running mean) / √(running var + eps) · w + b",
        infer_batch_norm_inference, elementwise_cost<3>,    channel_norm_backward<batch_norm_inference_gradient>};
    return op;
}
const Op& layer_norm() {
    static const Op op{"layer_norm",
                       "layer_norm",
                       "y = (x - mean) · rstd · w + b over each row",
                       infer_row_norm<false, true>,
                       elementwise_cost<8>,
                       row_norm_backward<false, true>};
    return op;
}
const Op& add_layer_norm() {
    static const Op op{"add_layer_norm",           "add_layer_norm",    "s = x + r, y = (s - mean) · rstd · w + b over each row",
                       infer_row_norm<true, true>, elementwise_cost<9>, row_norm_backward<true, true>,
                       "add + layer_norm"};
    return op;
}
const Op& rms_norm() {
    static const Op op{"rms_norm",
                       "rms_norm",
                       "y = x · rstd · w, rstd = 1 / √(mean x² + eps)",
                       infer_row_norm<false, false>,
                       elementwise_cost<5>,
                       row_norm_backward<false, false>};
    return op;
}
const Op& add_rms_norm() {
    static const Op op{"add_rms_norm",
                       "add_rms_norm",
                       "s = x + r, y = s · rstd · w, rstd = 1 / √(mean s² + eps)",
                       infer_row_norm<true, false>,
                       elementwise_cost<6>,
                       row_norm_backward<true, false>,
                       "add + rms_norm"};
    return op;
}
const Op& group_norm() {
    static const Op op{"group_norm",     "group_norm",        "y = (x - mean) · rstd · w + b over each group of channels",
                       infer_group_norm, elementwise_cost<8>, channel_norm_backward<group_norm_gradient>};
    return op;
}

} // namespace ops

void carry_running_statistics(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    for (std::size_t i = 3; i < 5; ++i)
        tape.apply_onto(ops::contiguous(), Phase::update, node.module, {node.outputs[i]}, {node.inputs[i]});
}

std::span<const Op* const> norm_ops() {
    static const std::array<const Op*, 7> list{
        &ops::batch_norm(), &ops::batch_norm_inference(), &ops::layer_norm(), &ops::add_layer_norm(),
        &ops::rms_norm(),   &ops::add_rms_norm(),         &ops::group_norm()};
    return list;
}

} // namespace gradus
