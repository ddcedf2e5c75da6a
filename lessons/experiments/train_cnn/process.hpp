#pragma once

#include "lessons/experiments/train_cnn/network.hpp"
#include "lessons/experiments/training/process.hpp"

namespace gradus::cnn {

/// Training of a convolutional network as the session drives it.
class TrainCnn : public TrainingProcess {
public:
    explicit TrainCnn(const Setup& setup);

    void describe(Manifest& manifest) const override;
    void begin(RunWriter& writer, bool setup) override;
    double test_accuracy() override;

protected:
    void load(StepIndex iteration) override { net_.batches.load(tape_, iteration); }
    void push(RunWriter& writer, StepIndex iteration) override;

private:
    Settings settings_;
    std::shared_ptr<const Dataset> data_;
    Network net_;
    LoaderLanes lanes_;
    std::optional<Tester> tester_;
};

} // namespace gradus::cnn
