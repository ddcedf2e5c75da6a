#pragma once

#include "lessons/experiments/tape_process.hpp"
#include "lessons/experiments/training/update.hpp"

#include <functional>

namespace gradus {

/// A net in training as the session drives it: loss, accuracy, learning rate, gradient norm and test accuracy as series, in mixed
/// precision the scale and the skipped steps too. An experiment derives from it; its constructor writes the forward pass and ends
/// with ready().
class TrainingProcess : public TapeProcess {
public:
    std::vector<SeriesInfo> series() const override;
    void begin(RunWriter& writer, bool setup) override;
    double gradient_norm() const override; ///< of the gradients without the scale, before they were clipped

    double loss() const { return tape_.scalar(loss_); }
    /// Whether the last iteration's update was left out because a gradient overflowed.
    bool skipped() const { return update_ && update_->skipped(tape_); }
    /// The share of the test set that the net tells right as it is; between iterations.
    virtual double test_accuracy() = 0;

protected:
    /// `evaluate_every`: iterations from one look at the test set to the next; the last iteration looks too.
    TrainingProcess(const Setup& setup, TrainingSettings training, StepIndex evaluate_every);
    /// The forward pass is on the tape.
    struct Forward {
        ValueIndex loss, accuracy;
        std::vector<ValueIndex> parameters;
        std::vector<ValueIndex> state = {};               ///< carries over beside parameters and optimizer
        std::vector<ValueIndex> fed;                      ///< written by load()
        std::function<void()> further_updates = [] {};    ///< appends what comes after the optimizer
    };
    void ready(const Forward& forward);
    /// Places an iteration's batch.
    virtual void load(StepIndex iteration) = 0;
    /// Of the experiment itself: positions behind the series that all have.
    virtual std::vector<SeriesInfo> more_series() const { return {}; }
    virtual void push_more(RunWriter&, std::size_t /*first*/) {}

    void feed(StepIndex iteration) override;
    void push(RunWriter& writer, StepIndex iteration) override;
    void set_setting(const std::string& name, double value, StepIndex iteration) override;
    std::vector<std::pair<std::string, double>> settings() const override;

    const Setup setup_;
    const TrainingSettings training_;

private:
    /// Positions in series(); the last two in mixed precision only.
    enum SeriesIndex : std::size_t {
        loss_series,
        accuracy_series,
        step_seconds,
        learning_rate,
        gradient_norm_series,
        test_accuracy_series,
        loss_scale,
        skipped_series
    };

    StepIndex evaluate_every_;
    std::optional<TrainingUpdate> update_;
    ValueIndex loss_ = no_value, accuracy_ = no_value;
    double scale_ = 1; ///< of this step
    double ns_per_tick_;
    Ticks start_ = 0;
    std::int32_t evaluate_site_ = -1;
};

} // namespace gradus
