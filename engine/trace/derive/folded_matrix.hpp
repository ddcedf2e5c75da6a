#pragma once

#include "engine/trace/derive/legal_folds.hpp"

#include <atomic>

namespace gradus {

/// What a group of steps folds into: their output is x · matrix + bias.
struct FoldedMatrix {
    Tensor matrix; ///< (in, out)
    Tensor bias;   ///< (1, out); undefined where no bias stands among the steps
    /// max |(x · matrix + bias) − what the steps gave| over the inputs of the iteration: rounding.
    double largest_difference = 0;
};

/// What a step of the chain multiplies by or adds, as the iteration read it. `run` holds the iteration in full; what it
/// does not keep is asked of `origin`, the Run it was re-computed for. Undefined where neither keeps it.
Tensor operand_of(const ChainStep& step, const Run& run, const Run& origin, StepIndex iteration);

/// Folds every group, (x · A) · B = x · (A · B), with the engine's own ops in the Run's own precision, step by step from the
/// left: where an experiment folds as well, the bits are the same. As many as there are groups; none for a group of
/// which a tensor is not kept. Empty once `outdated`.
std::vector<std::optional<FoldedMatrix>> folded_matrices(const std::vector<ChainStep>& chain, const LegalFolds& folds, const Run& run,
                                                         const Run& origin, StepIndex iteration, const std::atomic<bool>* outdated = nullptr);

} // namespace gradus
