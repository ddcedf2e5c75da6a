#include "engine/ops/attention.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

// --- positions -----------------------------------------------------------------------------------------------

std::vector<Value> infer_rope(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &x = tape.value(in[0]), &position = tape.value(in[1]);
    expect(x.shape.rank() == 4 && is_floating(x.dtype) && x.shape[3] % 2 == 0 && position.shape.rank() == 1 &&
               position.shape[0] == x.shape[2] && position.dtype == DType::i32,
           "rope", tape, in, "heads (B, H, T, D) of an even size D and int32 positions (T)");
    expect(attributes[0] >= 0 && (attributes[1] == 0 || attributes[1] == 1), "rope", tape, in,
           "a base above 0, and pairs 0 or 1");
    return {output(x.shape, x.dtype)};
}

const Op& rope_gradient() {
    static const Op op{"rope_backward", "rope_backward", "∂x = ∂y turned by -m·θ_i", infer_rope, elementwise_cost<3>, nullptr};
    return op;
}

// y = R(mθ) · x and R is a rotation, so ∂x = R(mθ)ᵀ · ∂y = R(-mθ) · ∂y.
void rope_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad)
        tape.contribute(x, rope_gradient(), index, {dy, node.inputs[1]}, {node.call.attributes[0], node.call.attributes[1]});
}

// --- scale and mask ----------------------------------------------------------------------------------------------------

std::vector<Value> infer_scale(const Tape& tape, Inputs in, const Attributes&) {
    const Value& x = tape.value(in[0]);
    expect(is_floating(x.dtype), "scale", tape, in, "a floating type");
    return {output(x.shape, x.dtype)};
}

// y = c · x, so ∂x = c · ∂y.
void scale_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    if (const ValueIndex x = node.inputs[0]; tape.value(x).requires_grad)
        tape.contribute(x, ops::scale(), index, {tape.value(node.outputs[0]).gradient}, {node.call.attributes[0]});
}

std::vector<Value> infer_causal_mask(const Tape& tape, Inputs in, const Attributes&) {
    const Value& x = tape.value(in[0]);
    expect(x.shape.rank() >= 2 && is_floating(x.dtype), "causal_mask", tape, in, "scores (…, T, S)");
    return {output(x.shape, x.dtype)};
}

const Op& causal_mask_gradient() {
    static const Op op{"causal_mask_backward", "causal_mask_backward", "∂x_ts = ∂y_ts where s <= t, else 0",
                       infer_causal_mask, elementwise_cost<0>, nullptr};
    return op;
}

void causal_mask_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    if (const ValueIndex x = node.inputs[0]; tape.value(x).requires_grad)
        tape.contribute(x, causal_mask_gradient(), index, {tape.value(node.outputs[0]).gradient});
}

// --- all steps in one ----------------------------------------------------------------------------------------

std::vector<Value> infer_flash_attention(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &q = tape.value(in[0]), &k = tape.value(in[1]), &v = tape.value(in[2]);
    expect(q.shape.rank() == 4 && k.shape.rank() == 4 && v.shape.same_sizes(k.shape) && k.shape[0] == q.shape[0] &&
               k.shape[3] == q.shape[3] && is_floating(q.dtype) && k.dtype == q.dtype && v.dtype == q.dtype,
           "flash_attention", tape, in, "queries (B, H, T, D) and keys and values (B, G, S, D) of one floating type");
    expect(k.shape[1] > 0 && q.shape[1] % k.shape[1] == 0, "flash_attention", tape, in,
           "heads H that are a multiple of the key heads G");
    expect(k.shape[2] > 0 && q.shape[3] > 0, "flash_attention", tape, in, "at least one key, and heads of a size above 0");
    for (const std::size_t tile : {2, 3})
        expect(attributes[tile] >= 0 && attributes[tile] <= 256, "flash_attention", tape, in, "tiles of at most 256 rows");
    Shape rows;
    for (int axis = 0; axis < 3; ++axis) rows.append({q.shape[axis], q.shape.name(axis)});
    return {output(q.shape, q.dtype), output(rows, q.dtype == DType::f64 ? DType::f64 : DType::f32)};
}

/// Pairs of a query and a key that are computed, of one head.
double pairs(const Tape& tape, const Node& node) {
    const Dim queries = tape.value(node.inputs[0]).shape[2], keys = tape.value(node.inputs[1]).shape[2];
    if (node.call.attributes[0] == 0) return static_cast<double>(queries * keys);
    double sum = 0; // the masked ones of a tile on the diagonal are computed too, but not wanted
    for (Dim t = 0; t < queries; ++t) sum += static_cast<double>(t < keys ? t + 1 : keys);
    return sum;
}

/// `Products` of D multiply-adds for every pair.
template <int Products> Cost attention_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    const Shape& q = tape.value(node.inputs[0]).shape;
    cost.flops = 2.0 * Products * static_cast<double>(q[0] * q[1] * q[3]) * pairs(tape, node);
    return cost;
}

std::vector<Value> infer_flash_gradient(const Tape& tape, Inputs in, const Attributes&) {
    std::vector<Value> out;
    for (const ValueIndex operand : in.first(3))
        out.push_back(output(tape.value(operand).shape, tape.value(operand).dtype, Role::gradient));
    return out;
}

const Op& flash_attention_gradient() {
    static const Op op{"flash_attention_backward", "flash_attention_backward",
                       "∂s_ij = p_ij · (∂o_i · v_j - D_i), p_ij = e^(s_ij - L_i), D_i = Σ_d ∂o_id · o_id",
                       infer_flash_gradient, attention_cost<7>, nullptr};
    return op;
}

// s = scale · q·kᵀ, p = e^(s - L), o = p·v. ∂v = pᵀ·∂o, ∂p = ∂o·vᵀ, ∂s = p·(∂p - D) with D_i = Σ_j p_ij·∂p_ij = ∂o_i·o_i,
// ∂q = scale · ∂s·k, ∂k = scale · ∂sᵀ·q. s and p are computed twice, for ∂q by rows and for ∂k and ∂v by columns: seven products
// instead of five, so that no two threads add to one number. Where L itself is used, ∂s_ij has p_ij · ∂L_i more.
void flash_attention_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex o = node.outputs[0], lse = node.outputs[1];
    std::vector<ValueIndex> inputs = node.inputs;
    inputs.insert(inputs.end(), {o, lse, tape.gradient_or_zeros(o)});
    if (tape.value(lse).gradient != no_value) inputs.push_back(tape.value(lse).gradient);
    std::vector<std::string> names;
    for (const ValueIndex operand : node.inputs) names.push_back("d" + tape.value(operand).name);
    Attributes attributes{};
    for (std::size_t i = 0; i < 4; ++i) attributes[i] = node.call.attributes[i];
    const std::vector<ValueIndex> made = tape.on_the_way_back(flash_attention_gradient(), index, inputs, names, attributes);
    for (std::size_t i = 0; i < made.size(); ++i)
        if (tape.value(node.inputs[i]).requires_grad) tape.share_gradient(node.inputs[i], index, made[i]);
}

} // namespace

namespace ops {

const Op& rope() {
    static const Op op{"rope", "rope", "y = x turned by m·θ_i, pair by pair; θ_i = base^(-2i/D)",
                       infer_rope, elementwise_cost<3>, rope_backward};
    return op;
}
const Op& scale() {
    static const Op op{"scale", "scale", "y = c · x", infer_scale, elementwise_cost<1>, scale_backward};
    return op;
}
const Op& causal_mask() {
    static const Op op{"causal_mask", "causal_mask", "y_ts = x_ts where s <= t, else -∞",
                       infer_causal_mask, elementwise_cost<0>, causal_mask_backward};
    return op;
}
const Op& flash_attention() {
    static const Op op{"flash_attention", "flash_attention",
                       "o_i = Σ_j p_ij · v_j, p_ij = e^(s_ij - L_i), s_ij = scale · q_i · k_j",
                       infer_flash_attention, attention_cost<2>, flash_attention_backward,
                       "batched_matmul + scale + causal_mask + softmax + batched_matmul"};
    return op;
}

} // namespace ops

std::span<const Op* const> attention_ops() {
    static const std::array<const Op*, 4> list{&ops::rope(), &ops::scale(), &ops::causal_mask(), &ops::flash_attention()};
    return list;
}

} // namespace gradus
