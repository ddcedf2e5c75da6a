#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Tells how far one goes through the test set, for as long as it lives.
class EvaluationProgress {
public:
    /// `told` may be null.
    EvaluationProgress(Evaluating* told, Dim pieces) : told_(told) {
        if (told_) told_->done.store(0), told_->of.store(static_cast<std::int32_t>(pieces));
    }
    ~EvaluationProgress() {
        if (told_) told_->of.store(0);
    }
    EvaluationProgress(const EvaluationProgress&) = delete;
    EvaluationProgress& operator=(const EvaluationProgress&) = delete;
    void piece_done() {
        if (told_) told_->done.fetch_add(1, std::memory_order_relaxed);
    }

private:
    Evaluating* told_;
};

/// The largest piece of a test set, of at most so many examples, that divides it, so that every example counts once.
constexpr Dim evaluation_piece(Dim examples, Dim most) {
    for (Dim piece = examples < most ? examples : most; piece > 1; --piece)
        if (examples % piece == 0) return piece;
    return 1;
}

/// The event of going through a test set.
inline EventSite evaluation_site() {
    EventSite site;
    site.level = Level::phase;
    site.phase = Phase::evaluate;
    site.name = site.path = "evaluate";
    site.provenance = Provenance::measured;
    return site;
}

} // namespace gradus
