#pragma once

#include "engine/data/sampler.hpp"
#include "lessons/experiments/tape_process.hpp"
#include "lessons/experiments/train_cnn/network.hpp"

namespace gradus::cnn {

/// Training of a convolutional network as the session drives it. Mixed precision: fp32 master weights, casts on the tape where
/// the autocast table asks for them, a loss scaler; a step that overflows leaves parameters and optimizer as they are.
class TrainCnn : public TapeProcess {
public:
    explicit TrainCnn(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    void describe(Manifest& manifest) const override;
    void begin(RunWriter& writer, bool setup) override;
    double gradient_norm() const override; ///< of the gradients before they were scaled

    double loss() const { return tape_.scalar(net_.loss); }
    double test_accuracy();
    const Settings& settings_read() const { return settings_; }
    bool skipped() const { return scaler_ && tape_.scalar(scaler_->overflow()) != 0; }

protected:
    void feed(StepIndex iteration) override;
    void before_step() override;
    void push(RunWriter& writer, StepIndex iteration) override;
    void set_setting(const std::string& name, double value, StepIndex iteration) override;
    std::vector<std::pair<std::string, double>> settings() const override;

private:
    /// Positions in series(); the last two in mixed precision only.
    enum SeriesIndex : std::size_t {
        loss_series,
        accuracy,
        step_seconds,
        learning_rate,
        gradient_norm_series,
        test_accuracy_series,
        loss_scale,
        skipped_series
    };
    void add_updates();

    Settings settings_;
    StepIndex steps_;
    std::shared_ptr<const Dataset> data_;
    BatchSampler sampler_;
    Network net_;
    std::vector<ValueIndex> gradients_; ///< what the optimizer reads
    std::optional<LossScaler> scaler_;
    std::optional<Optimizer> optimizer_;
    std::optional<Tester> tester_;
    double base_lr_, rate_ = 0, scale_ = 1; ///< before the schedule; of this step
    double ns_per_tick_;
    Ticks start_ = 0;
    std::int32_t evaluate_site_ = -1;
};

} // namespace gradus::cnn
