#include "engine/ops/grouped_product.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

std::vector<Value> infer_grouped(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &x = tape.value(in[0]), &w = tape.value(in[1]), &group = tape.value(in[2]);
    expect(x.shape.rank() == 2 && w.shape.rank() == 3 && group.shape.rank() == 1 && x.dtype == w.dtype &&
               is_floating(x.dtype) && group.dtype == DType::i32,
           "grouped_matmul", tape, in, "rows (M, K) and matrices (G, K, N) of one floating type and int32 groups (M)");
    const int inner = attributes[0] != 0 ? 2 : 1;
    expect(x.shape[0] == group.shape[0] && x.shape[1] == w.shape[inner], "grouped_matmul", tape, in,
           "a group for each row and equal inner sizes");
    return {output({{x.shape[0], x.shape.name(0)}, {w.shape[3 - inner], w.shape.name(3 - inner)}}, x.dtype)};
}

Cost grouped_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    cost.flops = 2.0 * static_cast<double>(tape.value(node.outputs[0]).shape.elements()) *
                 static_cast<double>(tape.value(node.inputs[0]).shape[1]);
    return cost;
}

/// ∂W of (M, R) rows and (M, C) rows: (G, R, C). Attribute 0: G.
std::vector<Value> infer_weights(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value &rows = tape.value(in[0]), &columns = tape.value(in[1]);
    return {output({{static_cast<Dim>(attributes[0]), {}}, {rows.shape[1], {}}, {columns.shape[1], {}}}, rows.dtype,
                   Role::gradient)};
}

Cost weights_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    cost.flops = 2.0 * static_cast<double>(tape.value(node.inputs[0]).shape.elements()) *
                 static_cast<double>(tape.value(node.inputs[1]).shape[1]);
    return cost;
}

const Op& weights_gradient() {
    static const Op op{"grouped_matmul_weights",
                       "grouped_matmul_weights",
                       "∂W_grc = Σ_i:g(i)=g a_ir · b_ic",
                       infer_weights,
                       weights_cost,
                       nullptr};
    return op;
}

// y_i = x_i · W_g(i), or x_i · W_g(i)ᵀ where W is stored transposed: ∂W_g (K, N) = x_gᵀ · ∂y_g, or its transpose ∂y_gᵀ · x_g.
void grouped_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], w = node.inputs[1], group = node.inputs[2], dy = tape.value(node.outputs[0]).gradient;
    const bool transposed = node.call.attributes[0] != 0;
    if (tape.value(w).requires_grad)
        tape.contribute(w, weights_gradient(), index, {transposed ? dy : x, transposed ? x : dy, group},
                        {static_cast<double>(tape.value(w).shape[0])});
    if (tape.value(x).requires_grad) tape.contribute(x, ops::grouped_matmul(), index, {dy, w, group}, {transposed ? 0.0 : 1.0});
}

} // namespace

const Op& ops::grouped_matmul() {
    static const Op op{"grouped_matmul", "grouped_matmul", "y_in = Σ_k x_ik · W_g(i)kn",
                       infer_grouped,    grouped_cost,     grouped_backward};
    return op;
}

std::span<const Op* const> grouped_product_ops() {
    static const std::array<const Op*, 1> list{&ops::grouped_matmul()};
    return list;
}

} // namespace gradus
