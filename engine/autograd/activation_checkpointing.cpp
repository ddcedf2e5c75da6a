// Activation checkpointing on the tape: a segment's nodes come again, in the backward phase and on values of their own, and the
// backward rules are called on those. The segment's own values are then read by forward nodes alone.
#include "engine/autograd/tape.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

void Tape::checkpoint_from(NodeIndex first) {
    const auto end = static_cast<NodeIndex>(nodes_.size());
    const NodeIndex after = segments_.empty() ? 0 : segments_.back().end;
    bool all_forward = first < end;
    for (NodeIndex index = std::max(first, NodeIndex{0}); index < end; ++index) {
        all_forward &= node(index).phase == Phase::forward;
        for (const ValueIndex output : node(index).outputs) all_forward &= value(output).producer == index;
    }
    if (first < after || !all_forward)
        throw ArgumentError(fmt::format("activation checkpointing needs forward nodes that write values of their own and are in no "
                                        "other segment, not those from {} to {}; the last segment ends before {}",
                                        first, end - 1, after));
    segments_.push_back({first, end});
}

/// Appends the segment's nodes again. Returns, by value of the tape, what stands for it in them; no_value for those from outside.
std::vector<ValueIndex> Tape::repeat(const Segment& segment) {
    std::vector<ValueIndex> again(values_.size(), no_value);
    for (NodeIndex index = segment.first; index < segment.end; ++index) {
        const Node original = node(index); // a copy: the list grows
        std::vector<ValueIndex> inputs = original.inputs;
        for (ValueIndex& input : inputs)
            if (const ValueIndex other = again[static_cast<std::size_t>(input)]; other != no_value) input = other;
        std::vector<std::string> names;
        for (const ValueIndex output : original.outputs) names.push_back(unused(value(output).name + " again"));
        Attributes attributes;
        std::copy(std::begin(original.call.attributes), std::end(original.call.attributes), attributes.begin());
        const NodeIndex made = apply(*original.op, Phase::backward, original.module, std::move(inputs), std::move(names), attributes);
        Node& repeated = nodes_[static_cast<std::size_t>(made)];
        repeated.forward = repeated.repeats = index;
        nodes_[static_cast<std::size_t>(index)].repeated_by = made;
        for (std::size_t i = 0; i < original.outputs.size(); ++i) {
            const Value& from = value(original.outputs[i]);
            Value& to = values_[static_cast<std::size_t>(repeated.outputs[i])];
            to.shape = from.shape; // the axes keep their names
            to.role = from.role;
            to.requires_grad = from.requires_grad;
            again[static_cast<std::size_t>(original.outputs[i])] = repeated.outputs[i];
        }
    }
    return again;
}

void Tape::repeat_and_walk_back(const Segment& segment, NodeIndex last, std::vector<bool>& reached) {
    bool wanted = false;
    for (NodeIndex index = segment.first; index < segment.end; ++index) wanted |= is_wanted(index, reached);
    if (!wanted) return;
    const auto begin = static_cast<NodeIndex>(nodes_.size());
    const std::vector<ValueIndex> again = repeat(segment);
    const auto end = static_cast<NodeIndex>(nodes_.size());
    reached.resize(values_.size(), false);
    for (std::size_t i = 0; i < again.size(); ++i) {
        if (again[i] == no_value) continue;
        reached[static_cast<std::size_t>(again[i])] = reached[i];
        values_[static_cast<std::size_t>(again[i])].gradient = values_[i].gradient; // what came from behind the segment
    }
    for (NodeIndex index = end - 1; index >= begin; --index)
        if (node(index).repeats >= 0 && is_wanted(index, reached)) call_rule(index, last, reached);
    for (std::size_t i = 0; i < again.size(); ++i)
        if (again[i] != no_value) values_[i].gradient = value(again[i]).gradient;
}

} // namespace gradus
