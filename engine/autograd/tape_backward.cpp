// How a tape is continued backward: contributions, sums of them, and the walk from the loss to the first node.
#include "engine/autograd/tape.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gradus {

/// The name itself, or with as many strokes as make it unlike every other.
std::string Tape::unused(std::string name) const {
    while (find(name) != no_value) name += '\'';
    return name;
}

NodeIndex Tape::backward_node(const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                              std::vector<std::string> output_names, Attributes attributes) {
    const std::size_t before = nodes_.size();
    const std::string module = node(forward).module;
    if (node(forward).repeats >= 0) forward = node(forward).repeats;
    const NodeIndex made = apply(op, Phase::backward, module, std::move(inputs), std::move(output_names), attributes);
    for (std::size_t i = before; i < nodes_.size(); ++i) nodes_[i].forward = forward; // with the copies it reads
    for (const ValueIndex output : node(made).outputs) values_[static_cast<std::size_t>(output)].role = Role::gradient;
    return made;
}

/// "d" + the value's name, or the name of what it repeats.
std::string Tape::gradient_name(ValueIndex index) const {
    const NodeIndex producer = value(index).producer;
    if (producer < 0 || node(producer).repeats < 0) return "d" + value(index).name;
    const auto& outputs = node(producer).outputs;
    const auto at = std::find(outputs.begin(), outputs.end(), index) - outputs.begin();
    return "d" + value(node(node(producer).repeats).outputs[static_cast<std::size_t>(at)]).name;
}

void Tape::contribute(ValueIndex index, const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs, Attributes attributes) {
    const std::string name = gradient_name(index);
    const bool second_use = value(index).gradient != no_value;
    const NodeIndex made = backward_node(op, forward, std::move(inputs), {second_use ? unused(name + '\'') : name}, attributes);
    const ValueIndex part = node(made).outputs[0];
    if (!value(part).shape.same_sizes(value(index).shape))
        throw ShapeError(fmt::format("the gradient of {} has shape {}, not {}", value(index).name, value(part).shape.text(),
                                     value(index).shape.text()));
    values_[static_cast<std::size_t>(part)].shape = value(index).shape; // the axes keep their names
    values_[static_cast<std::size_t>(index)].gradient = second_use ? sum_of(value(index).gradient, part, forward, name) : part;
}

ValueIndex Tape::sum_of(ValueIndex first, ValueIndex second, NodeIndex forward, const std::string& name) {
    return node(backward_node(ops::add(), forward, {first, second}, {unused(name + " sum")}, {})).outputs[0];
}

void Tape::share_gradient(ValueIndex index, NodeIndex forward, ValueIndex gradient) {
    if (!value(gradient).shape.same_sizes(value(index).shape))
        throw ShapeError(fmt::format("the gradient of {} has shape {}, not {}", value(index).name, value(gradient).shape.text(),
                                     value(index).shape.text()));
    const ValueIndex before = value(index).gradient;
    values_[static_cast<std::size_t>(index)].gradient =
        before == no_value ? gradient : sum_of(before, gradient, forward, gradient_name(index));
}

std::vector<ValueIndex> Tape::on_the_way_back(const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                                              std::vector<std::string> output_names, Attributes attributes) {
    for (std::string& name : output_names) name = unused(std::move(name));
    return node(backward_node(op, forward, std::move(inputs), std::move(output_names), attributes)).outputs;
}

ValueIndex Tape::gradient_or_zeros(ValueIndex index) {
    if (value(index).gradient != no_value) return value(index).gradient;
    const Shape shape = value(index).shape;
    const DType dtype = value(index).dtype;
    const std::size_t bytes = static_cast<std::size_t>(shape.elements()) * size_of(dtype);
    StorageRef zeros = pool_->allocate(bytes);
    std::memset(zeros.data(), 0, zeros.bytes());
    const ValueIndex made = input(unused("d" + value(index).name), Tensor(std::move(zeros), shape, dtype), Role::gradient);
    return values_[static_cast<std::size_t>(index)].gradient = made;
}

void Tape::backward(ValueIndex loss) {
    if (value(loss).shape.elements() != 1)
        throw ShapeError(
            fmt::format("backward starts at a scalar, but {} has shape {}", value(loss).name, value(loss).shape.text()));
    const NodeIndex last = value(loss).producer;
    if (last >= 0 && value(loss).requires_grad && value(loss).gradient == no_value && !node(last).op->seeds_itself) {
        const double one[] = {1};
        const ValueIndex seed =
            input(unused("dL"), Tensor::from_numbers(*pool_, value(loss).shape, value(loss).dtype, one), Role::gradient);
        values_[static_cast<std::size_t>(loss)].gradient = seed;
    }
    walk_back({&loss, 1}, last);
}

void Tape::backward_from(std::span<const ValueIndex> outputs, std::span<const ValueIndex> gradients) {
    if (outputs.size() != gradients.size())
        throw ShapeError(
            fmt::format("backward starts at {} values, but {} gradients were given", outputs.size(), gradients.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Value &output = value(outputs[i]), &gradient = value(gradients[i]);
        if (!gradient.shape.same_sizes(output.shape) || gradient.dtype != output.dtype)
            throw ShapeError(fmt::format("the gradient of {} has shape {} and dtype {}, not {} and {}", output.name,
                                         gradient.shape.text(), name_of(gradient.dtype), output.shape.text(),
                                         name_of(output.dtype)));
        values_[static_cast<std::size_t>(outputs[i])].gradient = gradients[i];
    }
    walk_back(outputs, -1);
}

/// Whether a gradient goes back through a node.
bool Tape::is_wanted(NodeIndex index, const std::vector<bool>& reached) const {
    const Op* op = node(index).op;
    if (!op->backward) return false;
    bool wanted = false;
    for (const ValueIndex output : node(index).outputs)
        wanted |= reached[static_cast<std::size_t>(output)] && value(output).requires_grad &&
                  (op->seeds_itself || value(output).gradient != no_value);
    return wanted;
}

void Tape::call_rule(NodeIndex index, NodeIndex last, std::vector<bool>& reached) {
    const Op* op = node(index).op;
    const NodeIndex forward = node(index).repeats >= 0 ? node(index).repeats : index;
    if (op->seeds_itself && forward != last)
        throw Error(fmt::format("{} in {} takes the gradient of its loss to be 1, so nothing that the loss of this tape needs may "
                                "come after it",
                                op->name, node(index).module));
    for (const ValueIndex input : node(index).inputs) reached[static_cast<std::size_t>(input)] = true;
    op->backward(*this, index);
    reached.resize(values_.size(), false);
}

/// Calls the backward rules of the nodes that lead to `from`, the last node first. `last` may take ∂L = 1 as given.
void Tape::walk_back(std::span<const ValueIndex> from, NodeIndex last) {
    std::vector<bool> reached(values_.size(), false);
    for (const ValueIndex index : from) reached[static_cast<std::size_t>(index)] = true;
    auto segment = segments_.rbegin();
    for (NodeIndex index = static_cast<NodeIndex>(nodes_.size()) - 1; index >= 0; --index) {
        if (segment != segments_.rend() && index == segment->end - 1) {
            repeat_and_walk_back(*segment, last, reached);
            index = segment->first;
            ++segment;
        } else if (node(index).phase == Phase::forward && is_wanted(index, reached)) call_rule(index, last, reached);
    }
    segments_.clear();
}

} // namespace gradus
