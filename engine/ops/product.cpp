#include "engine/ops/product.hpp"

#include "engine/ops/op_parts.hpp"

#include <algorithm>
#include <array>

namespace gradus {

namespace {

using namespace op_parts;

/// Whether operand 0 or 1 of a product is stored transposed.
bool transposed(const Attributes& attributes, int operand) { return attributes[static_cast<std::size_t>(operand)] != 0; }
bool transposed(const Node& node, int operand) { return node.call.attributes[operand] != 0; }

std::vector<Value> infer_matmul(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &a = tape.value(in[0]), &b = tape.value(in[1]);
    expect(a.shape.rank() == 2 && b.shape.rank() == 2 && a.dtype == b.dtype && is_floating(a.dtype), "matmul", tape,
           in, "two matrices of one floating type");
    const int a_row = transposed(attributes, 0) ? 1 : 0, b_row = transposed(attributes, 1) ? 1 : 0;
    expect(a.shape[1 - a_row] == b.shape[b_row], "matmul", tape, in, "equal inner sizes");
    return {output({{a.shape[a_row], a.shape.name(a_row)}, {b.shape[1 - b_row], b.shape.name(1 - b_row)}}, a.dtype)};
}

Cost matmul_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    const Value& a = tape.value(node.inputs[0]);
    const Dim depth = a.shape[transposed(node, 0) ? 0 : 1];
    cost.flops = 2.0 * static_cast<double>(tape.value(node.outputs[0]).shape.elements()) * static_cast<double>(depth);
    return cost;
}

/// The operands of an operand's gradient, where the stored A is op(A) or its transpose and so with B.
struct GradientProduct {
    ValueIndex first, second;
    Attributes attributes;
};
// C = op(A)·op(B), so ∂op(A) (M,K) = ∂C (M,N) · op(B)ᵀ (N,K), and the transpose of that where A (K,M) is stored.
GradientProduct gradient_of_a(const Node& node, ValueIndex dc) {
    const ValueIndex b = node.inputs[1];
    const bool b_transposed = transposed(node, 1);
    if (transposed(node, 0)) return {b, dc, {b_transposed ? 1.0 : 0.0, 1}};
    return {dc, b, {0, b_transposed ? 0.0 : 1.0}};
}
// ∂op(B) (K,N) = op(A)ᵀ (K,M) · ∂C (M,N), and the transpose of that where B (N,K) is stored.
GradientProduct gradient_of_b(const Node& node, ValueIndex dc) {
    const ValueIndex a = node.inputs[0];
    const bool a_transposed = transposed(node, 0);
    if (transposed(node, 1)) return {dc, a, {1, a_transposed ? 1.0 : 0.0}};
    return {a, dc, {a_transposed ? 0.0 : 1.0, 0}};
}

void matmul_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex a = node.inputs[0], b = node.inputs[1], dc = tape.value(node.outputs[0]).gradient;
    const auto give = [&](ValueIndex value, const GradientProduct& product) {
        if (tape.value(value).requires_grad)
            tape.contribute(value, ops::matmul(), index, {product.first, product.second}, product.attributes);
    };
    give(b, gradient_of_b(node, dc));
    give(a, gradient_of_a(node, dc));
}

// --- one product per matrix ----------------------------------------------------------------------------------

/// Leading axes of two operands broadcast from the right; nothing where they do not fit.
bool broadcast_leading(const Shape& a, const Shape& b, Shape& out) {
    const int a_lead = a.rank() - 2, b_lead = b.rank() - 2, lead = std::max(a_lead, b_lead);
    for (int axis = 0; axis < lead; ++axis) {
        const int i = axis - (lead - a_lead), j = axis - (lead - b_lead);
        const Axis from_a = i < 0 ? Axis{1, {}} : Axis{a[i], a.name(i)}, from_b = j < 0 ? Axis{1, {}} : Axis{b[j], b.name(j)};
        if (from_a.size != from_b.size && from_a.size != 1 && from_b.size != 1) return false;
        const Axis& wider = from_a.size == 1 && (from_b.size != 1 || from_a.name == AxisName{}) ? from_b : from_a;
        out.append(wider);
    }
    return true;
}

/// Checks the operands and appends the last two axes of the product to `out`, which then holds its leading ones.
void expect_operands(const Tape& tape, Inputs in, const Attributes& attributes, Shape& out) {
    const Value &a = tape.value(in[0]), &b = tape.value(in[1]);
    expect(a.shape.rank() >= 2 && b.shape.rank() >= 2 && a.dtype == b.dtype && is_floating(a.dtype), "batched_matmul", tape, in,
           "two operands (…, M, K) and (…, K, N) of one floating type");
    const int a_row = a.shape.rank() - (transposed(attributes, 0) ? 1 : 2), a_column = 2 * a.shape.rank() - 3 - a_row;
    const int b_row = b.shape.rank() - (transposed(attributes, 1) ? 1 : 2), b_column = 2 * b.shape.rank() - 3 - b_row;
    expect(a.shape[a_column] == b.shape[b_row], "batched_matmul", tape, in, "equal inner sizes");
    expect(broadcast_leading(a.shape, b.shape, out), "batched_matmul", tape, in, "leading axes that are alike, or 1, or missing");
    out.append({a.shape[a_row], a.shape.name(a_row)});
    out.append({b.shape[b_column], b.shape.name(b_column)});
}

std::vector<Value> infer_batched_matmul(const Tape& tape, Inputs in, const Attributes& attributes) {
    Shape shape;
    expect_operands(tape, in, attributes, shape);
    return {output(shape, tape.value(in[0]).dtype)};
}

Cost batched_matmul_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    const Value &a = tape.value(node.inputs[0]), &b = tape.value(node.inputs[1]);
    Shape matrices;
    broadcast_leading(a.shape, b.shape, matrices);
    const int a_last = a.shape.rank() - 1, b_last = b.shape.rank() - 1;
    const double rows = static_cast<double>(a.shape[transposed(node, 0) ? a_last : a_last - 1]);
    const double depth = static_cast<double>(a.shape[transposed(node, 0) ? a_last - 1 : a_last]);
    const double columns = static_cast<double>(b.shape[transposed(node, 1) ? b_last - 1 : b_last]);
    cost.flops = 2.0 * rows * depth * columns * static_cast<double>(matrices.elements());
    return cost;
}

/// Where the operand was broadcast: its gradient is the sum over the matrices that it was used for. Attributes 2 and on: the
/// number of the result's leading axes and their sizes.
std::vector<Value> infer_summed_product(const Tape& tape, Inputs in, const Attributes& attributes) {
    Shape whole, shape;
    expect_operands(tape, in, attributes, whole);
    const auto lead = static_cast<std::size_t>(attributes[2]);
    for (std::size_t axis = 0; axis < lead; ++axis) shape.append({static_cast<Dim>(attributes[3 + axis]), {}});
    for (int axis = whole.rank() - 2; axis < whole.rank(); ++axis) shape.append({whole[axis], whole.name(axis)});
    return {output(shape, tape.value(in[0]).dtype, Role::gradient)};
}

const Op& summed_product() {
    static const Op op{"batched_matmul_sum", "batched_matmul", "C_ij = Σ_b Σ_k A_bik · B_bkj",
                       infer_summed_product, batched_matmul_cost, nullptr};
    return op;
}

void batched_matmul_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex a = node.inputs[0], b = node.inputs[1], c = node.outputs[0], dc = tape.value(c).gradient;
    const auto give = [&](ValueIndex value, GradientProduct product) {
        if (!tape.value(value).requires_grad) return;
        const Shape shape = tape.value(value).shape, whole = tape.value(c).shape;
        bool broadcast = shape.rank() != whole.rank();
        for (int axis = 0; axis < shape.rank() - 2; ++axis) broadcast |= shape[axis] != whole[axis + whole.rank() - shape.rank()];
        product.attributes[2] = broadcast ? shape.rank() - 2 : 0;
        for (int axis = 0; broadcast && axis < shape.rank() - 2; ++axis)
            product.attributes[static_cast<std::size_t>(3 + axis)] = static_cast<double>(shape[axis]);
        tape.contribute(value, broadcast ? summed_product() : ops::batched_matmul(), index, {product.first, product.second},
                        product.attributes);
    };
    give(b, gradient_of_b(node, dc));
    give(a, gradient_of_a(node, dc));
}

} // namespace

namespace ops {

const Op& matmul() {
    static const Op op{"matmul", "matmul", "C_ij = Σ_k A_ik · B_kj", infer_matmul, matmul_cost, matmul_backward};
    return op;
}
const Op& batched_matmul() {
    static const Op op{"batched_matmul", "batched_matmul", "C_bij = Σ_k A_bik · B_bkj",
                       infer_batched_matmul, batched_matmul_cost, batched_matmul_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> product_ops() {
    static const std::array<const Op*, 1> list{&ops::batched_matmul()}; // matmul is one of lesson_ops
    return list;
}

} // namespace gradus
