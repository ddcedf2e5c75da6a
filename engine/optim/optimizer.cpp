#include "engine/optim/optimizer.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

namespace {

using Kind = Optimizer::Kind;

Tensor zeros(const Tape& tape, const Shape& shape, DType dtype) {
    const std::size_t bytes = static_cast<std::size_t>(shape.elements()) * size_of(dtype);
    StorageRef storage = tape.pool().allocate(bytes);
    std::memset(storage.data(), 0, bytes);
    return Tensor(std::move(storage), shape, dtype);
}

/// The parameter's module is that of the node that first reads it.
std::string module_of(const Tape& tape, ValueIndex parameter) {
    for (const Node& node : tape.nodes())
        for (const ValueIndex input : node.inputs)
            if (input == parameter) return node.module;
    return "optimizer";
}

bool has_velocity(Kind kind) { return kind == Kind::momentum || kind == Kind::momentum_lr || kind == Kind::nesterov; }
bool counts_steps(Kind kind) { return kind == Kind::adam || kind == Kind::adamw; }

const Op& op_of(Kind kind) {
    switch (kind) {
    case Kind::sgd: break;
    case Kind::momentum: return ops::momentum();
    case Kind::momentum_lr: return ops::momentum_lr();
    case Kind::nesterov: return ops::nesterov();
    case Kind::rmsprop: return ops::rmsprop();
    case Kind::adam: return ops::adam();
    case Kind::adamw: return ops::adamw();
    }
    return ops::sgd();
}

} // namespace

Optimizer::Optimizer(Tape& tape, Settings settings, const std::vector<ValueIndex>& parameters,
                     const std::vector<ValueIndex>& gradients)
    : Optimizer(tape, {Group{settings, parameters, gradients}}) {}

Optimizer::Optimizer(Tape& tape, std::vector<Group> groups) {
    if (groups.empty()) throw ArgumentError("an optimizer needs a group of parameters");
    for (const Group& group : groups) {
        if (group.parameters.size() != group.gradients.size())
            throw ArgumentError(fmt::format("{} parameters have {} gradients", group.parameters.size(), group.gradients.size()));
        if (!counts_steps(group.settings.kind) || count_ != no_value) continue;
        count_ = tape.input("t", zeros(tape, Shape{}, DType::i32), Role::optimizer_state);
        state_.push_back(count_);
        tape.apply_onto(ops::count_step(), Phase::update, "optimizer", {count_}, {count_});
    }
    for (const Group& group : groups) {
        Updates& updates = groups_.emplace_back(Updates{group.settings, group.settings.lr, {}});
        for (std::size_t i = 0; i < group.parameters.size(); ++i) append(tape, updates, group.parameters[i], group.gradients[i]);
    }
}

ValueIndex Optimizer::add_state(Tape& tape, const char* prefix, ValueIndex parameter) {
    const Value& value = tape.value(parameter);
    state_.push_back(tape.input(prefix + value.name, zeros(tape, value.shape, value.dtype), Role::optimizer_state));
    return state_.back();
}

void Optimizer::append(Tape& tape, Updates& group, ValueIndex parameter, ValueIndex gradient) {
    const Settings& s = group.settings;
    const std::string module = module_of(tape, parameter);
    if (s.weight_decay != 0 && s.kind != Kind::adamw) {
        const NodeIndex decayed = tape.apply(ops::l2_gradient(), Phase::update, module, {gradient, parameter},
                                             {tape.value(gradient).name + " decayed"}, {s.weight_decay});
        gradient = tape.node(decayed).outputs[0];
    }
    std::vector<ValueIndex> inputs{parameter, gradient}, outputs{parameter};
    Attributes attributes{s.lr};
    if (counts_steps(s.kind)) {
        const ValueIndex mean = add_state(tape, "m_", parameter), squares = add_state(tape, "v_", parameter);
        inputs.insert(inputs.end(), {mean, squares, count_});
        outputs.insert(outputs.end(), {mean, squares});
        attributes = {s.lr, s.beta1, s.beta2, s.eps, s.kind == Kind::adamw ? s.weight_decay : 0};
    } else if (s.kind != Kind::sgd) {
        const ValueIndex state = add_state(tape, "v_", parameter);
        inputs.push_back(state);
        outputs.push_back(state);
        if (has_velocity(s.kind)) attributes = {s.lr, s.momentum};
        else attributes = {s.lr, s.alpha, s.eps};
    }
    group.nodes.push_back(
        tape.apply_onto(op_of(s.kind), Phase::update, module, std::move(inputs), std::move(outputs), attributes));
    nodes_.push_back(group.nodes.back());
}

void Optimizer::set_lr(Tape& tape, double lr) {
    for (std::size_t group = 0; group < groups_.size(); ++group) set_lr(tape, group, lr);
}

void Optimizer::set_lr(Tape& tape, std::size_t group, double lr) {
    if (group >= groups_.size())
        throw ArgumentError(fmt::format("the optimizer has {} groups, and none of number {}", groups_.size(), group));
    groups_[group].settings.lr = lr;
    for (const NodeIndex node : groups_[group].nodes) tape.set_attribute(node, 0, lr);
}

void Optimizer::follow(Tape& tape, const Schedule& schedule, std::int64_t step) {
    const double factor = factor_at(schedule, step);
    for (std::size_t group = 0; group < groups_.size(); ++group) set_lr(tape, group, groups_[group].first_lr * factor);
}

void Optimizer::set_momentum(Tape& tape, double momentum) {
    for (Updates& group : groups_) {
        if (!has_velocity(group.settings.kind)) continue;
        group.settings.momentum = momentum;
        for (const NodeIndex node : group.nodes) tape.set_attribute(node, 1, momentum);
    }
}

} // namespace gradus
