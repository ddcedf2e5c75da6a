#pragma once

#include "engine/trace/derive/legal_folds.hpp"

#include <memory>

namespace gradus {

/// The folds of a chain on the inputs of an iteration are wanted.
struct FoldWish {
    std::shared_ptr<const std::vector<ChainStep>> chain;
    std::shared_ptr<const Run> full; ///< holds the iteration in full
    StepIndex iteration = -1;
};

/// What comes of it.
struct FoldResult {
    FoldWish wish;
    std::optional<LegalFolds> folds; ///< none where the tensors are no longer kept
};

/// What the view shows: a chain, and once they are asked for, its folds.
struct FoldPicture {
    std::shared_ptr<const std::vector<ChainStep>> chain; ///< null before there is a run
    std::shared_ptr<const FoldResult> result;            ///< of this chain; null while it is on the way
    bool folded = false;   ///< the folds are shown
    bool secret = false;   ///< a prediction is open about them: what tells of them is plain
    std::int32_t cursor = -1; ///< ordinal of the event one stands on
    std::string selected;  ///< tensor

    const LegalFolds* folds() const { return folded && result && result->folds ? &*result->folds : nullptr; }
    /// What a step that is not linear did; null where it is linear, or that is not to be told.
    const FoldBarrier* barrier(std::size_t step) const {
        if (secret || !folds()) return nullptr;
        for (const FoldBarrier& barrier : folds()->barriers)
            if (barrier.step == step) return &barrier;
        return nullptr;
    }
};

} // namespace gradus
