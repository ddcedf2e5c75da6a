#pragma once

#include "engine/ops/op_parts.hpp"

/// What the descriptions of indexing ops share; for the files of this folder only.
namespace gradus::op_parts {

/// ∂y, where somebody downstream made it: an op's other output may be all that is used.
inline ValueIndex gradient_of_output(const Tape& tape, NodeIndex index) {
    return tape.value(tape.node(index).outputs[0]).gradient;
}

inline bool wanted(const Tape& tape, ValueIndex value, ValueIndex upstream) {
    return upstream != no_value && tape.value(value).requires_grad;
}

/// What is picked is read once, and so is the index; the rest of input 0 is not.
inline Cost picked_cost(const Tape& tape, const Node& node) {
    Cost cost;
    cost.bytes_written = bytes_of(tape.value(node.outputs[0]));
    cost.bytes_read = cost.bytes_written + bytes_of(tape.value(node.inputs[1]));
    return cost;
}

} // namespace gradus::op_parts
