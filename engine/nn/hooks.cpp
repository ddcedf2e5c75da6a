#include "engine/nn/hooks.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

ModuleHooks::ModuleHooks(Tape& tape) : tape_(tape) {}

ModuleHooks::Watched& ModuleHooks::open_to_hooks(const std::string& module) {
    const auto found = watched_.find(module);
    if (found != watched_.end()) return found->second;
    if (passed_.contains(module))
        throw ArgumentError(
            fmt::format("{} stands on the tape without places for hooks: register or watch before it is called", module));
    return watched_[module];
}

void ModuleHooks::watch(const std::string& module) { open_to_hooks(module); }

HookId ModuleHooks::on_forward(const std::string& module, Forward hook) {
    open_to_hooks(module).forward.push_back({next_id_, std::move(hook)});
    return next_id_++;
}

HookId ModuleHooks::on_backward(const std::string& module, Backward hook) {
    open_to_hooks(module).backward.push_back({next_id_, std::move(hook)});
    return next_id_++;
}

void ModuleHooks::remove(HookId id) {
    for (auto& [name, watched] : watched_) {
        std::erase_if(watched.forward, [id](const auto& hook) { return hook.id == id; });
        std::erase_if(watched.backward, [id](const auto& hook) { return hook.id == id; });
    }
}

/// y = 1 · x: a value of its own, so that writing it changes nothing else.
ValueIndex ModuleHooks::place(const std::string& module, ValueIndex value, const char* name) {
    if (!is_floating(tape_.value(value).dtype)) return value;
    const NodeIndex node = tape_.apply(ops::scale(), Phase::forward, module, {value}, {module + "." + name}, {1});
    return tape_.node(node).outputs[0];
}

ValueIndex ModuleHooks::enter(const std::string& module, ValueIndex x) {
    const auto found = watched_.find(module);
    if (found == watched_.end()) {
        passed_[module] = true;
        return x;
    }
    if (!listening_)
        tape_.after_each([self = weak_from_this()](NodeIndex node) {
            if (const auto hooks = self.lock()) hooks->executed(node);
        });
    listening_ = true;
    const ValueIndex made = place(module, x, "hook.in");
    found->second.open.push_back(made);
    return made;
}

ValueIndex ModuleHooks::leave(const std::string& module, ValueIndex y) {
    const auto found = watched_.find(module);
    if (found == watched_.end()) return y;
    Watched& watched = found->second;
    Placed call;
    call.inputs = std::move(watched.open);
    watched.open.clear();
    call.number = static_cast<int>(watched.calls.size());
    call.output = place(module, y, "hook.out");
    watched.calls.push_back(std::move(call));
    return watched.calls.back().output;
}

/// Which nodes are places, now that more have been written.
void ModuleHooks::find_places() {
    nodes_looked_at_ = tape_.nodes().size();
    places_.clear();
    const auto is_copy = [&](const Node& node, NodeIndex forward) { // else it repeats the forward node
        return node.forward == forward && node.op == &ops::scale() && tape_.value(node.outputs[0]).role == Role::gradient;
    };
    const auto count = static_cast<NodeIndex>(nodes_looked_at_);
    for (auto& [module, watched] : watched_)
        for (std::size_t c = 0; c < watched.calls.size(); ++c) {
            Placed& call = watched.calls[c];
            const NodeIndex out = tape_.value(call.output).producer;
            places_[out] = {Place::Kind::output, module, c};
            call.gradient_values.assign(call.inputs.size(), no_value);
            call.gradients_of_an_iteration = 0;
            for (NodeIndex node = 0; node < count; ++node) {
                if (tape_.node(node).phase != Phase::backward) continue;
                if (is_copy(tape_.node(node), out)) places_[node] = {Place::Kind::output_gradient, module, c};
                for (std::size_t i = 0; i < call.inputs.size(); ++i) {
                    const ValueIndex input = call.inputs[i];
                    if (!is_floating(tape_.value(input).dtype) || !is_copy(tape_.node(node), tape_.value(input).producer))
                        continue;
                    places_[node] = {Place::Kind::input_gradient, module, c};
                    call.gradient_values[i] = tape_.node(node).outputs[0];
                    ++call.gradients_of_an_iteration;
                }
            }
            call.gradients_to_come = call.gradients_of_an_iteration;
        }
}

void ModuleHooks::executed(NodeIndex node) {
    if (nodes_looked_at_ != tape_.nodes().size()) find_places();
    const auto found = places_.find(node);
    if (found == places_.end()) return;
    const Place at = found->second;
    Placed& call = watched_.at(at.module).calls[at.call];
    switch (at.kind) {
    case Place::Kind::output: run_forward(at.module, at.call); return;
    case Place::Kind::output_gradient:
        if (watched_.at(at.module).backward.empty()) return;
        call.output_gradient = tape_.tensor(tape_.node(node).outputs[0]);
        call.gradients_to_come = call.gradients_of_an_iteration;
        if (call.gradients_to_come == 0) run_backward(at.module, at.call); // none of the inputs has a gradient
        return;
    case Place::Kind::input_gradient:
        if (call.output_gradient.defined() && --call.gradients_to_come == 0) run_backward(at.module, at.call);
        return;
    }
}

void ModuleHooks::run_forward(const std::string& module, std::size_t number) {
    const std::vector<Registered<Forward>> hooks = watched_.at(module).forward; // they may remove themselves
    if (hooks.empty()) return;
    const Placed call = watched_.at(module).calls[number];
    std::vector<Tensor> inputs;
    for (const ValueIndex input : call.inputs) inputs.push_back(tape_.tensor(input));
    for (const Registered<Forward>& hook : hooks)
        if (const auto other = hook.function({module, call.number}, inputs, tape_.tensor(call.output)))
            tape_.set(call.output, *other);
}

void ModuleHooks::run_backward(const std::string& module, std::size_t number) {
    const std::vector<Registered<Backward>> hooks = watched_.at(module).backward;
    const std::vector<ValueIndex> values = watched_.at(module).calls[number].gradient_values;
    const Tensor output_gradient = std::move(watched_.at(module).calls[number].output_gradient);
    watched_.at(module).calls[number].output_gradient = {};
    for (const Registered<Backward>& hook : hooks) {
        std::vector<Tensor> gradients;
        for (const ValueIndex value : values) gradients.push_back(value == no_value ? Tensor() : tape_.tensor(value));
        const std::vector<Tensor> others =
            hook.function({module, watched_.at(module).calls[number].number}, gradients, output_gradient);
        if (others.empty()) continue;
        if (others.size() != values.size())
            throw ShapeError(
                fmt::format("a backward hook of {} gave {} gradients for {} inputs", module, others.size(), values.size()));
        gradients.clear(); // so that what is replaced is nobody's
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!others[i].defined()) continue;
            if (values[i] == no_value)
                throw ShapeError(fmt::format("a backward hook of {} gave a gradient to input {}, which has none", module, i));
            tape_.set(values[i], others[i]);
        }
    }
}

} // namespace gradus
