#pragma once

#include "engine/trace/derive/folded_matrix.hpp"

#include <memory>

namespace gradus {

/// The folds of a chain on the inputs of an iteration are wanted.
struct FoldWish {
    std::shared_ptr<const std::vector<ChainStep>> chain;
    std::shared_ptr<const Run> full;   ///< holds the iteration in full
    std::shared_ptr<const Run> origin; ///< and the constants
    StepIndex iteration = -1;
};

/// What comes of it.
struct FoldResult {
    FoldWish wish;
    std::optional<LegalFolds> folds; ///< none where the tensors are no longer kept
    std::vector<Tensor> weights;     ///< per step of the chain; undefined where it is no matrix
    std::vector<std::optional<FoldedMatrix>> matrices; ///< per group
    Shape input, output;             ///< of what goes into the chain, and comes out of it
    double weight_end = 0, folded_end = 0; ///< where the colours of the weights and of the folded matrices end: 99.5 % of their sizes lie below
    double largest_weight = 0, largest_folded = 0; ///< the largest size itself
};

/// Computes it; never throws.
std::shared_ptr<const FoldResult> fold_result(const FoldWish& wish, const std::atomic<bool>& outdated);

/// What the view shows: a chain, and once they are asked for, its folds.
struct FoldPicture {
    std::shared_ptr<const std::vector<ChainStep>> chain; ///< null before there is a run
    std::shared_ptr<const FoldResult> result;            ///< of this chain; null while it is on the way
    bool folded = false;   ///< the folds are shown
    bool secret = false;   ///< a prediction is open about them: what tells of them is plain
    std::int32_t cursor = -1; ///< ordinal of the event one stands on
    std::string selected;  ///< tensor

    const LegalFolds* folds() const { return folded && result && result->folds ? &*result->folds : nullptr; }
    /// What a group folds into; null where that is not known.
    const FoldedMatrix* matrix(std::size_t group) const {
        return folds() && group < result->matrices.size() && result->matrices[group] ? &*result->matrices[group] : nullptr;
    }
    /// What a step that is not linear did; null where it is linear, or that is not to be told.
    const FoldBarrier* barrier(std::size_t step) const {
        if (secret || !folds()) return nullptr;
        for (const FoldBarrier& barrier : folds()->barriers)
            if (barrier.step == step) return &barrier;
        return nullptr;
    }
    /// The colours of the weights end at this number, and those of the folded matrices: at the same one where they can be compared.
    double end() const { return !result ? 0 : own_end() ? result->weight_end : std::max(result->weight_end, folds() ? result->folded_end : 0); }
    double folded_end() const { return own_end() ? result->folded_end : end(); }
    /// Numbers lie beyond the end.
    bool clips() const { return result && (result->largest_weight > end() || (folds() && !own_end() && result->largest_folded > end())); }
    bool folded_clips() const { return own_end() ? result->largest_folded > result->folded_end : clips(); }
    /// A fold over steps that scale has far smaller or larger numbers than the matrices it was made of.
    bool own_end() const {
        return folds() && result->folded_end > 0 && (result->folded_end > 3 * result->weight_end || 3 * result->folded_end < result->weight_end);
    }
};

} // namespace gradus
