#pragma once

#include "engine/optim/accumulation.hpp"
#include "lessons/experiments/training/settings.hpp"

namespace gradus {

/// What a training step does with its loss, on the tape: the backward pass, the scale of mixed precision, accumulation, clipping
/// and the optimizer. Parameters move in every `accumulate`-th iteration; in the others, and where a gradient overflowed, they and
/// the optimizer's state stay as they are.
class TrainingUpdate {
public:
    TrainingUpdate(Tape& tape, const TrainingSettings& settings, ValueIndex loss, const std::vector<ValueIndex>& parameters);

    /// Sets what depends on the iteration: the learning rate, whether the parameters move.
    void begin(Tape& tape, StepIndex iteration);
    void set_lr(double lr) { base_lr_ = lr; } ///< before the schedule
    double lr() const { return base_lr_; }
    double rate() const { return rate_; } ///< of the iteration that was begun

    /// What carries over beside the parameters: optimizer, scale, gradients summed so far.
    std::vector<ValueIndex> state() const;
    /// Written before each iteration.
    std::vector<ValueIndex> fed() const { return waits_ == no_value ? std::vector<ValueIndex>{} : std::vector{waits_}; }
    /// Of the parameters, without the scale and before they were clipped; sums where they are accumulated.
    const std::vector<ValueIndex>& gradients() const { return gradients_; }
    /// Mixed precision; nothing else has a scale.
    bool has_scale() const { return scaler_.has_value(); }
    double scale(const Tape& tape) const { return scaler_ ? tape.scalar(scaler_->scale()) : 1; }
    /// Whether an update that was due has been left out for that.
    bool skipped(const Tape& tape) const {
        return scaler_ && tape.scalar(scaler_->overflow()) != 0 && (waits_ == no_value || tape.scalar(waits_) == 0);
    }

private:
    TrainingSettings settings_;
    double base_lr_, rate_ = 0;
    std::optional<LossScaler> scaler_;
    std::optional<GradientAccumulation> accumulation_;
    std::optional<Optimizer> optimizer_;
    std::vector<ValueIndex> gradients_;
    ValueIndex waits_ = no_value; ///< () 1 in an iteration that only accumulates
};

} // namespace gradus
