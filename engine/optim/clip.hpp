#pragma once

#include "engine/autograd/tape.hpp"

#include <vector>

namespace gradus {

/// Gradients that were clipped together, and the norm they had before.
struct Clipped {
    ValueIndex norm = no_value; ///< no_value where each value was clipped on its own
    std::vector<ValueIndex> gradients;
};

/// g' = g · min(1, limit / (N + 1e-6)), N = √(Σ g²) over all elements of all gradients, so that the norm is at most `limit`
/// (unit of g): appends global_norm of eight at a time and of those norms, then clip_by_norm of each. Gradients of any shapes, of
/// one floating type -> N () and as many of their shapes. A NaN or ∞ of one reaches all. Throws ArgumentError for no gradients or
/// a limit that is not above 0, ShapeError for types that differ. Source: Pascanu, Mikolov and Bengio 2013;
/// torch.nn.utils.clip_grad_norm_.
Clipped clip_by_global_norm(Tape& tape, const std::vector<ValueIndex>& gradients, double limit);

/// g' = min(max(g, -limit), limit), each element on its own, which may turn the direction: appends a clamp for each. Gradients of
/// any shapes and floating types -> as many of their shapes; the limit in their unit. A NaN stays. Throws ArgumentError for a
/// limit that is not above 0. Source: torch.nn.utils.clip_grad_value_.
Clipped clip_by_value(Tape& tape, const std::vector<ValueIndex>& gradients, double limit);

} // namespace gradus
