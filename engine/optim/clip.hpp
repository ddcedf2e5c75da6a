#pragma once

#include "engine/autograd/tape.hpp"

#include <vector>

namespace gradus {

/// Gradients that were clipped together, and the norm they had before.
struct Clipped {
    ValueIndex norm = no_value; ///< no_value where each value was clipped on its own
    std::vector<ValueIndex> gradients;
};

/// Appends nodes that scale all gradients by one factor so that the norm over all their elements is at most `limit`: global_norm
/// of eight at a time and of those norms, then clip_by_norm of each. Throws ArgumentError for no gradients or a limit that is not
/// above 0.
Clipped clip_by_global_norm(Tape& tape, const std::vector<ValueIndex>& gradients, double limit);

/// Appends nodes that limit each element to [-limit, limit] (clamp), which may turn the direction.
/// Throws ArgumentError for a limit that is not above 0.
Clipped clip_by_value(Tape& tape, const std::vector<ValueIndex>& gradients, double limit);

} // namespace gradus
