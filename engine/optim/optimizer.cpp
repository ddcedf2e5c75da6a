#include "engine/optim/optimizer.hpp"

#include "engine/ops/ops.hpp"

#include <cstring>

namespace gradus {

namespace {

Tensor zeros_like(const Tape& tape, ValueIndex parameter) {
    const Value& value = tape.value(parameter);
    const std::size_t bytes = static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype);
    StorageRef storage = tape.pool().allocate(bytes);
    std::memset(storage.data(), 0, bytes);
    return Tensor(std::move(storage), value.shape, value.dtype);
}

/// The parameter's module is that of the node that first reads it.
std::string module_of(const Tape& tape, ValueIndex parameter) {
    for (const Node& node : tape.nodes())
        for (const ValueIndex input : node.inputs)
            if (input == parameter) return node.module;
    return "optimizer";
}

} // namespace

Optimizer::Optimizer(Tape& tape, Settings settings, const std::vector<ValueIndex>& parameters,
                     const std::vector<ValueIndex>& gradients)
    : settings_(settings) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const ValueIndex parameter = parameters[i];
        const std::string module = module_of(tape, parameter);
        if (settings.kind == Kind::sgd) {
            nodes_.push_back(tape.apply_onto(ops::sgd(), Phase::update, module, {parameter, gradients[i]},
                                             {parameter}, {settings.lr}));
            continue;
        }
        const ValueIndex velocity =
            tape.input("v_" + tape.value(parameter).name, zeros_like(tape, parameter), Role::optimizer_state);
        state_.push_back(velocity);
        nodes_.push_back(tape.apply_onto(ops::momentum(), Phase::update, module, {parameter, gradients[i], velocity},
                                         {parameter, velocity}, {settings.lr, settings.momentum}));
    }
}

void Optimizer::set_lr(Tape& tape, double lr) {
    settings_.lr = lr;
    for (const NodeIndex node : nodes_) tape.set_attribute(node, 0, lr);
}

void Optimizer::set_momentum(Tape& tape, double momentum) {
    settings_.momentum = momentum;
    for (const NodeIndex node : nodes_) tape.set_attribute(node, 1, momentum);
}

} // namespace gradus
