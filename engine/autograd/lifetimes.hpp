#pragma once

#include "engine/autograd/tape.hpp"

#include <span>
#include <vector>

namespace gradus {

/// From which node to which a training step needs each buffer.
///
/// A value that no node makes (a parameter, a state, a batch) stays, and so do losses, metrics, and the gradients of parameters
/// where no update reads them. Every other one ends with its last reader, one that nobody reads with the node that writes it.
/// Readers of a view read its base.
struct Lifetimes {
    struct Span {
        NodeIndex first = -1; ///< writes it first; -1: it is there before the step
        NodeIndex last = -1;  ///< reads it last; nodes().size(): it is there after the step
    };
    std::vector<Span> values;                   ///< by value; a view's is empty: first > last
    std::vector<std::vector<ValueIndex>> ended; ///< by node: whose last reader it is
};

/// `kept`: further values that somebody reads after the step.
Lifetimes lifetimes_of(const Tape& tape, std::span<const ValueIndex> kept = {});

/// Executes all nodes, letting go of each buffer once its last reader has run. What somebody else holds, as a Run does that
/// observes the step, stays with them.
void execute_step(Tape& tape, const Lifetimes& lifetimes);

} // namespace gradus
