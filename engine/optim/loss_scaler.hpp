#pragma once

#include "engine/autograd/tape.hpp"

#include <vector>

namespace gradus {

/// Loss scaling for mixed precision: gradients of 16 bits are computed of loss · scale, so that small ones do not become 0; where
/// one overflows, the step is skipped and the scale falls; after enough steps without an overflow it grows. All of it is nodes:
///
///     LossScaler scaler(tape, settings);
///     tape.backward(scaler.scaled(tape, loss));
///     const auto gradients = scaler.unscaled(tape, gradients_of_the_parameters);
///     tape.skip_where(scaler.overflow());
///     Optimizer optimizer(tape, ..., parameters, gradients);   // its count, means and parameters stay in a skipped step
///     tape.skip_where(no_value);
///     scaler.follow(tape);
///
/// The scale s is unitless: L' = s · L, g = g' · (1 / s). The same numbers as torch.amp.GradScaler. Source: Micikevicius et al.
/// 2018, Mixed Precision Training.
class LossScaler {
public:
    struct Settings {
        double scale = 65536;          ///< of the first step; powers of 2 keep every digit
        double growth = 2;             ///< what it is multiplied by after `interval` steps without an overflow
        double backoff = 0.5;          ///< and after an overflow
        std::int64_t interval = 2000;  ///< steps
    };
    /// The scale and the count are states named "loss_scale" and "loss_scale_steps". Throws ArgumentError for a scale that is not
    /// above 0, ShapeError from follow() for other settings without meaning. `dtype` is the loss' and the gradients'.
    LossScaler(Tape& tape, Settings settings, DType dtype = DType::f32);

    /// Appends loss · scale to the forward phase: where backward() is to start.
    ValueIndex scaled(Tape& tape, ValueIndex loss) const;
    /// Appends to the update phase: whether any of the gradients is infinite or NaN, and the gradients divided by the scale, of
    /// their shapes and types. Throws ArgumentError for none.
    std::vector<ValueIndex> unscaled(Tape& tape, const std::vector<ValueIndex>& gradients);
    /// Appends what the scale becomes.
    void follow(Tape& tape) const;

    ValueIndex overflow() const { return overflow_; } ///< () boolean: this step is skipped
    ValueIndex scale() const { return scale_; }       ///< before a step the one it uses, after it the next one's
    std::vector<ValueIndex> state() const { return {scale_, steps_}; }

private:
    Settings settings_;
    ValueIndex scale_ = no_value, steps_ = no_value, overflow_ = no_value;
};

} // namespace gradus
