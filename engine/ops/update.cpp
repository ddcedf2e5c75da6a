#include "engine/ops/update.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

void expect_alike(const Tape& tape, Inputs in, std::size_t count, std::string_view op) {
    const Value& first = tape.value(in[0]);
    for (const ValueIndex index : in.first(count))
        expect(tape.value(index).shape.same_sizes(first.shape) && tape.value(index).dtype == first.dtype &&
                   is_floating(first.dtype),
               op, tape, in, "a parameter, its gradient and its states of one shape and floating type");
}

/// The new parameter and `States` new states.
template <int States> std::vector<Value> infer_update(const Tape& tape, Inputs in, const Attributes&) {
    expect_alike(tape, in, 2 + States, "an update");
    const Value& parameter = tape.value(in[0]);
    std::vector<Value> out{output(parameter.shape, parameter.dtype, parameter.role)};
    for (int i = 0; i < States; ++i) out.push_back(output(parameter.shape, parameter.dtype, Role::optimizer_state));
    return out;
}

std::vector<Value> infer_adam(const Tape& tape, Inputs in, const Attributes& attributes) {
    expect(in.size() == 5 && tape.value(in[4]).shape.rank() == 0 && tape.value(in[4]).dtype == DType::i32, "adam", tape, in,
           "a parameter, its gradient, two moments and the number of the step as an int32 scalar");
    return infer_update<2>(tape, in, attributes);
}

std::vector<Value> infer_count_step(const Tape& tape, Inputs in, const Attributes&) {
    expect(tape.value(in[0]).shape.rank() == 0 && tape.value(in[0]).dtype == DType::i32, "count_step", tape, in,
           "an int32 scalar");
    return {output(Shape{}, DType::i32, Role::optimizer_state)};
}

std::vector<Value> infer_gradient_and_another(const Tape& tape, Inputs in, const Attributes&) {
    expect_alike(tape, in, 2, "a change of a gradient");
    return {output(tape.value(in[0]).shape, tape.value(in[0]).dtype, Role::gradient)};
}

std::vector<Value> infer_global_norm(const Tape& tape, Inputs in, const Attributes&) {
    expect(!in.empty() && in.size() <= GRADUS_MAX_ARRAYS, "global_norm", tape, in, "one to eight tensors");
    for (const ValueIndex index : in)
        expect(tape.value(index).dtype == tape.value(in[0]).dtype && is_floating(tape.value(in[0]).dtype), "global_norm", tape,
               in, "tensors of one floating type");
    return {output(Shape{}, tape.value(in[0]).dtype, Role::metric)};
}

std::vector<Value> infer_clip_by_norm(const Tape& tape, Inputs in, const Attributes&) {
    const Value &gradient = tape.value(in[0]), &norm = tape.value(in[1]);
    expect(norm.shape.rank() == 0 && norm.dtype == gradient.dtype && is_floating(norm.dtype), "clip_by_norm", tape, in,
           "a gradient and a norm, a scalar of its floating type");
    return {output(gradient.shape, gradient.dtype, Role::gradient)};
}

Cost global_norm_cost(const Tape& tape, const Node& node) {
    Cost cost = elementwise_cost<0>(tape, node);
    for (const ValueIndex index : node.inputs) cost.flops += 2.0 * static_cast<double>(tape.value(index).shape.elements());
    return cost;
}

} // namespace

namespace ops {

const Op& momentum_lr() {
    static const Op op{"momentum_lr", "momentum_lr", "v ← μ · v - η · ∂W, W ← W + v",
                       infer_update<1>, elementwise_cost<4>, nullptr};
    return op;
}
const Op& nesterov() {
    static const Op op{"nesterov", "nesterov", "v ← μ · v + ∂W, W ← W - η · (∂W + μ · v)",
                       infer_update<1>, elementwise_cost<6>, nullptr};
    return op;
}
const Op& rmsprop() {
    static const Op op{"rmsprop", "rmsprop", "s ← α · s + (1 - α) · ∂W², W ← W - η · ∂W / (√s + ε)",
                       infer_update<1>, elementwise_cost<8>, nullptr};
    return op;
}
const Op& adam() {
    static const Op op{"adam", "adam", "m ← β₁ · m + (1 - β₁) · ∂W, v ← β₂ · v + (1 - β₂) · ∂W², W ← W - η · m̂ / (√v̂ + ε)",
                       infer_adam, elementwise_cost<12>, nullptr};
    return op;
}
const Op& adamw() {
    static const Op op{"adamw", "adamw",
                       "m ← β₁ · m + (1 - β₁) · ∂W, v ← β₂ · v + (1 - β₂) · ∂W², W ← (1 - η · λ) · W - η · m̂ / (√v̂ + ε)",
                       infer_adam, elementwise_cost<13>, nullptr};
    return op;
}
const Op& count_step() {
    static const Op op{"count_step", "count_step", "t ← t + 1", infer_count_step, elementwise_cost<0>, nullptr};
    return op;
}
const Op& l2_gradient() {
    static const Op op{"l2_gradient", "l2_gradient", "∂W + λ · W", infer_gradient_and_another, elementwise_cost<2>, nullptr};
    return op;
}
const Op& global_norm() {
    static const Op op{"global_norm", "global_norm", "N = √(Σ_i g_i²)", infer_global_norm, global_norm_cost, nullptr};
    return op;
}
const Op& clip_by_norm() {
    static const Op op{"clip_by_norm", "clip_by_norm", "∂W · min(1, c / N)", infer_clip_by_norm, elementwise_cost<1>, nullptr};
    return op;
}
const Op& accumulate() {
    static const Op op{"accumulate", "accumulate", "G ← G + ∂W / n", infer_gradient_and_another, elementwise_cost<2>, nullptr};
    return op;
}

} // namespace ops

std::span<const Op* const> update_ops() {
    static const std::array<const Op*, 10> list{
        &ops::momentum_lr(), &ops::nesterov(),    &ops::rmsprop(),     &ops::adam(),         &ops::adamw(),
        &ops::count_step(),  &ops::l2_gradient(), &ops::global_norm(), &ops::clip_by_norm(), &ops::accumulate(),
    };
    return list;
}

} // namespace gradus
