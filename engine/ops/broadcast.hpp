#pragma once

#include "engine/autograd/tape.hpp"

#include <optional>

/// Shapes that are stretched to one another, and gradients that are summed back; for the files of this folder only.
namespace gradus::op_parts {

/// The shape that both are stretched to as NumPy does it, or nothing. An axis keeps the name of the operand that has it; a's
/// comes first.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// Like Tape::contribute, for an op that computes ∂value under the shape that `value` was stretched to, that of `upstream`: what
/// it gives is summed over the axes along which it was stretched, which is a second node.
void contribute_summed(Tape& tape, ValueIndex value, const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                       ValueIndex upstream, Attributes attributes = {});
/// The same where ∂value is the gradient `upstream` itself.
void share_summed(Tape& tape, ValueIndex value, NodeIndex forward, ValueIndex upstream);

} // namespace gradus::op_parts
