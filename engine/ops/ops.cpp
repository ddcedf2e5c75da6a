#include "engine/ops/ops.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/op_parts.hpp"

#include <array>
#include <fmt/format.h>

namespace gradus {

namespace {

using namespace op_parts;

// --- bias ----------------------------------------------------------------------------------------------------

std::vector<Value> infer_add_bias(const Tape& tape, Inputs in, const Attributes&) {
    const Value &x = tape.value(in[0]), &bias = tape.value(in[1]);
    expect(x.shape.rank() == 2 && bias.shape.rank() == 1 && x.shape[1] == bias.shape[0] && x.dtype == bias.dtype &&
               is_floating(x.dtype),
           "add_bias", tape, in, "a matrix and a vector as wide as it");
    return {output(x.shape, x.dtype)};
}

std::vector<Value> infer_sum_rows(const Tape& tape, Inputs in, const Attributes&) {
    const Value& x = tape.value(in[0]);
    expect(x.shape.rank() == 2 && is_floating(x.dtype), "sum_rows", tape, in, "a matrix");
    return {output({{x.shape[1], x.shape.name(1)}}, x.dtype)};
}

// z = x + b on every row: ∂b_j = Σ_i ∂z_ij. ∂x is ∂z itself, so x shares its gradient and no node is needed.
void add_bias_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], bias = node.inputs[1], dz = tape.value(node.outputs[0]).gradient;
    if (tape.value(bias).requires_grad) tape.contribute(bias, ops::sum_rows(), index, {dz});
    if (tape.value(x).requires_grad) tape.share_gradient(x, index, dz);
}

// --- activations ---------------------------------------------------------------------------------------------

std::vector<Value> infer_unary(const Tape& tape, Inputs in, const Attributes&) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype), "an activation", tape, in, "a floating type");
    return {output(x.shape, x.dtype)};
}

std::vector<Value> infer_unary_backward(const Tape& tape, Inputs in, const Attributes&) {
    const Value &x = tape.value(in[0]), &dy = tape.value(in[1]);
    expect(x.shape.same_sizes(dy.shape) && x.dtype == dy.dtype, "an activation's gradient", tape, in,
           "two tensors of one shape and type");
    return {output(x.shape, x.dtype, Role::gradient)};
}

/// Op `Backward` reads what the forward op saved (its output, or its input where Saved is 0) and ∂y.
template <const Op& (*Backward)(), bool SavesOutput> void unary_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], y = node.outputs[0];
    if (tape.value(x).requires_grad)
        tape.contribute(x, Backward(), index, {SavesOutput ? y : x, tape.value(y).gradient});
}

const Op& relu_gradient() {
    static const Op op{"relu_backward", "relu_backward", "∂x = ∂y where y > 0, else 0",
                       infer_unary_backward, elementwise_cost<1>, nullptr};
    return op;
}
const Op& tanh_gradient() {
    static const Op op{"tanh_backward", "tanh_backward", "∂x = ∂y · (1 - y²)",
                       infer_unary_backward, elementwise_cost<3>, nullptr};
    return op;
}
const Op& sigmoid_gradient() {
    static const Op op{"sigmoid_backward", "sigmoid_backward", "∂x = ∂y · y · (1 - y)",
                       infer_unary_backward, elementwise_cost<3>, nullptr};
    return op;
}
const Op& gelu_gradient() {
    static const Op op{"gelu_backward", "gelu_backward", "∂x = ∂y · (Φ(x) + x · φ(x))",
                       infer_unary_backward, elementwise_cost<14>, nullptr};
    return op;
}
const Op& silu_gradient() {
    static const Op op{"silu_backward", "silu_backward", "∂x = ∂y · σ(x) · (1 + x · (1 - σ(x)))",
                       infer_unary_backward, elementwise_cost<12>, nullptr};
    return op;
}
const Op& step_gradient() {
    static const Op op{"step_backward", "step_backward", "∂x = 0",
                       infer_unary_backward, elementwise_cost<1>, nullptr};
    return op;
}

// --- losses --------------------------------------------------------------------------------------------------

std::vector<Value> infer_softmax_cross_entropy(const Tape& tape, Inputs in, const Attributes&) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    expect(z.shape.rank() == 2 && z.shape[0] > 0 && z.shape[1] > 0 && y.shape.rank() == 1 &&
               y.shape[0] == z.shape[0] && y.dtype == DType::i32 && is_floating(z.dtype),
           "softmax_cross_entropy", tape, in, "logits (B, C) and int32 labels (B)");
    return {output(z.shape, z.dtype), output(Shape{}, z.dtype, Role::loss)};
}

std::vector<Value> infer_binary_cross_entropy(const Tape& tape, Inputs in, const Attributes&) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    expect((z.shape.rank() == 1 || z.shape.rank() == 2) && z.shape.same_sizes(y.shape) && z.dtype == y.dtype && is_floating(z.dtype) &&
               z.shape.elements() > 0,
           "binary_cross_entropy", tape, in, "logits and targets (B) or (B, C) of one shape and type");
    return {output(z.shape, z.dtype), output(Shape{}, z.dtype, Role::loss)};
}

std::vector<Value> infer_mean_squared_error(const Tape& tape, Inputs in, const Attributes&) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    expect((z.shape.rank() == 1 || z.shape.rank() == 2) && z.shape.same_sizes(y.shape) && z.dtype == y.dtype && is_floating(z.dtype) &&
               z.shape.elements() > 0,
           "mean_squared_error", tape, in, "predictions and targets (B) or (B, C) of one shape and type");
    return {output(Shape{}, z.dtype, Role::loss)};
}

const Op& softmax_cross_entropy_gradient() {
    static const Op op{"softmax_cross_entropy_backward", "softmax_cross_entropy_backward", "∂z = (p - y) / B",
                       infer_like_first, elementwise_cost<1>, nullptr};
    return op;
}
const Op& binary_cross_entropy_gradient() {
    static const Op op{"binary_cross_entropy_backward", "binary_cross_entropy_backward", "∂z = (p - y) / n",
                       infer_like_first, elementwise_cost<2>, nullptr};
    return op;
}
const Op& mean_squared_error_gradient() {
    static const Op op{"mean_squared_error_backward", "mean_squared_error_backward", "∂z = 2 · (z - y) / n",
                       infer_like_first, elementwise_cost<2>, nullptr};
    return op;
}

// The loss is where ∂L = 1 enters, so these rules take no gradient from above.
template <const Op& (*Backward)(), bool FromProbability> void loss_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex z = node.inputs[0], target = node.inputs[1];
    if (tape.value(z).requires_grad)
        tape.contribute(z, Backward(), index, {FromProbability ? node.outputs[0] : z, target});
}

// --- metrics, updates, data ----------------------------------------------------------------------------------

std::vector<Value> infer_accuracy(const Tape& tape, Inputs in, const Attributes&) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    expect(z.shape.rank() == 2 && z.shape.elements() > 0 && y.shape.rank() == 1 && y.shape[0] == z.shape[0] &&
               y.dtype == DType::i32 && is_floating(z.dtype),
           "accuracy", tape, in, "logits (B, C) and int32 labels (B)");
    return {output(Shape{}, z.dtype, Role::metric)};
}

std::vector<Value> infer_one_hot_accuracy(const Tape& tape, Inputs in, const Attributes&) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    expect(z.shape.rank() == 2 && z.shape.elements() > 0 && z.shape.same_sizes(y.shape) && z.dtype == y.dtype && is_floating(z.dtype),
           "one_hot_accuracy", tape, in, "predictions (B, C) and targets of the same shape and type");
    return {output(Shape{}, z.dtype, Role::metric)};
}

std::vector<Value> infer_binary_accuracy(const Tape& tape, Inputs in, const Attributes&) {
    const Value &z = tape.value(in[0]), &y = tape.value(in[1]);
    expect((z.shape.rank() == 1 || z.shape.rank() == 2) && z.shape.same_sizes(y.shape) && z.dtype == y.dtype && is_floating(z.dtype) &&
               z.shape.elements() > 0,
           "binary_accuracy", tape, in, "predictions and targets (B) or (B, C) of one shape and type");
    return {output(Shape{}, z.dtype, Role::metric)};
}

std::vector<Value> infer_two_alike(const Tape& tape, Inputs in, const Attributes&) {
    const Value &first = tape.value(in[0]), &second = tape.value(in[1]);
    expect(first.shape.same_sizes(second.shape) && first.dtype == second.dtype, "an update", tape, in,
           "tensors of one shape and type");
    return {output(first.shape, first.dtype, first.role)};
}

std::vector<Value> infer_momentum(const Tape& tape, Inputs in, const Attributes& attributes) {
    std::vector<Value> out = infer_two_alike(tape, in, attributes);
    const Value& velocity = tape.value(in[2]);
    expect(velocity.shape.same_sizes(out[0].shape) && velocity.dtype == out[0].dtype, "momentum", tape, in,
           "a velocity of the parameter's shape and type");
    out.push_back(output(velocity.shape, velocity.dtype, Role::optimizer_state));
    return out;
}

std::vector<Value> infer_gather(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &x = tape.value(in[0]), &index = tape.value(in[1]);
    expect(x.shape.rank() >= 1 && index.shape.rank() == 1 && index.dtype == DType::i32, "gather", tape, in,
           "rows and an int32 index");
    Shape shape;
    shape.append({index.shape[0], index.shape.name(0)});
    for (int axis = 1; axis < x.shape.rank(); ++axis) shape.append({x.shape[axis], x.shape.name(axis)});
    return {output(shape, static_cast<DType>(static_cast<int>(attributes[1])), Role::data)};
}

Cost gather_cost(const Tape& tape, const Node& node) {
    Cost cost;
    const Value &x = tape.value(node.inputs[0]), &index = tape.value(node.inputs[1]);
    const double rows = static_cast<double>(x.shape[0] > 0 ? x.shape[0] : 1);
    cost.bytes_read = bytes_of(x) / rows * static_cast<double>(index.shape[0]) + bytes_of(index);
    cost.bytes_written = bytes_of(tape.value(node.outputs[0]));
    cost.flops = x.dtype == DType::u8 ? static_cast<double>(tape.value(node.outputs[0]).shape.elements()) : 0;
    return cost;
}

} // namespace

namespace ops {

const Op& add_bias() {
    static const Op op{"add_bias", "add_bias", "z_ij = x_ij + b_j",
                       infer_add_bias, elementwise_cost<1>, add_bias_backward};
    return op;
}
const Op& sum_rows() {
    static const Op op{"sum_rows", "sum_rows", "s_j = Σ_i x_ij", infer_sum_rows, reduction_cost<1>, nullptr};
    return op;
}
const Op& relu() {
    static const Op op{"relu", "relu", "y = max(0, x)",
                       infer_unary, elementwise_cost<1>, unary_backward<relu_gradient, true>};
    return op;
}
const Op& tanh() {
    static const Op op{"tanh", "tanh", "y = tanh x",
                       infer_unary, elementwise_cost<4>, unary_backward<tanh_gradient, true>};
    return op;
}
const Op& sigmoid() {
    static const Op op{"sigmoid", "sigmoid", "y = 1 / (1 + e^-x)",
                       infer_unary, elementwise_cost<4>, unary_backward<sigmoid_gradient, true>};
    return op;
}
const Op& gelu() {
    static const Op op{"gelu", "gelu", "y = x · Φ(x)",
                       infer_unary, elementwise_cost<8>, unary_backward<gelu_gradient, false>};
    return op;
}
const Op& silu() {
    static const Op op{"silu", "silu", "y = x · σ(x)",
                       infer_unary, elementwise_cost<5>, unary_backward<silu_gradient, false>};
    return op;
}
const Op& step() {
    static const Op op{"step", "step", "y = 1 where x > 0, else 0",
                       infer_unary, elementwise_cost<1>, unary_backward<step_gradient, true>};
    return op;
}
const Op& softmax_cross_entropy() {
    static const Op op{"softmax_cross_entropy", "softmax_cross_entropy", "L = -1/B · Σ_i ln p_i,y(i)",
                       infer_softmax_cross_entropy, reduction_cost<5>,
                       loss_backward<softmax_cross_entropy_gradient, true>, "softmax + cross_entropy", true};
    return op;
}
const Op& binary_cross_entropy() {
    static const Op op{"binary_cross_entropy", "binary_cross_entropy", "L = -mean(y·ln p + (1-y)·ln(1-p))",
                       infer_binary_cross_entropy, reduction_cost<9>,
                       loss_backward<binary_cross_entropy_gradient, true>, {}, true};
    return op;
}
const Op& mean_squared_error() {
    static const Op op{"mean_squared_error", "mean_squared_error", "L = mean((z - y)²)",
                       infer_mean_squared_error, reduction_cost<3>,
                       loss_backward<mean_squared_error_gradient, false>, {}, true};
    return op;
}
const Op& accuracy() {
    static const Op op{"accuracy", "accuracy", "share of rows with argmax z = y", infer_accuracy, reduction_cost<1>,
                       nullptr};
    return op;
}
const Op& one_hot_accuracy() {
    static const Op op{"one_hot_accuracy", "one_hot_accuracy", "share of rows with argmax z = argmax y", infer_one_hot_accuracy,
                       reduction_cost<1>, nullptr};
    return op;
}
const Op& binary_accuracy() {
    static const Op op{"binary_accuracy", "binary_accuracy", "share of z on the target's side", infer_binary_accuracy,
                       reduction_cost<1>, nullptr};
    return op;
}
const Op& sgd() {
    static const Op op{"sgd", "sgd", "W ← W - η · ∂W", infer_two_alike, elementwise_cost<2>, nullptr};
    return op;
}
const Op& momentum() {
    static const Op op{"momentum", "momentum", "v ← μ · v + ∂W, W ← W - η · v", infer_momentum, elementwise_cost<4>,
                       nullptr};
    return op;
}
const Op& gather() {
    static const Op op{"gather", "gather", "the rows that the index names", infer_gather, gather_cost, nullptr};
    return op;
}

} // namespace ops

std::string formula_of(const Op& op, std::span<const double> attributes) {
    const bool batched = &op == &ops::batched_matmul();
    if (&op != &ops::matmul() && !batched) return std::string(op.formula);
    const char* matrix = batched ? "b" : "";
    return fmt::format("C_{0}ij = Σ_k A_{0}{1} · B_{0}{2}", matrix, attributes[0] != 0 ? "ki" : "ik", attributes[1] != 0 ? "jk" : "kj");
}

std::span<const Op* const> lesson_ops() {
    static const std::array<const Op*, 21> list{
        &ops::matmul(),          &ops::add_bias(),   &ops::sum_rows(),
        &ops::relu(),            &ops::tanh(),       &ops::sigmoid(),
        &ops::gelu(),            &ops::accuracy(),   &ops::softmax_cross_entropy(),
        &ops::binary_cross_entropy(), &ops::mean_squared_error(), &ops::binary_accuracy(),
        &ops::sgd(),             &ops::momentum(),   &ops::gather(),
        &ops::quadratic(),       &ops::softmax(),    &ops::cross_entropy(),
        &ops::one_hot_accuracy(), &ops::silu(),      &ops::step(),
    };
    return list;
}

std::span<const Op* const> all_ops() {
    static const std::vector<const Op*> list = [] {
        std::vector<const Op*> out;
        for (const auto family : {lesson_ops, elementwise_ops, reduce_ops, layout_ops, cast_ops, product_ops, grouped_product_ops, attention_ops, update_ops, loss_scale_ops, indexing_ops, softmax_ops, element_losses_ops, dropout_ops, conv_ops, pool_ops, norm_ops}) out.insert(out.end(), family().begin(), family().end());
        return out;
    }();
    return list;
}

} // namespace gradus
