#pragma once

#include "lessons/experiments/train_gpt/network.hpp"
#include "lessons/experiments/training/process.hpp"

namespace gradus::gpt {

/// Training of a small language model as the session drives it. Each iteration's exercises are drawn anew from the seed; the test
/// set are others.
class TrainGpt : public TrainingProcess {
public:
    explicit TrainGpt(const Setup& setup);

    void describe(Manifest& manifest) const override;
    /// The share of test exercises whose whole answer is right, each token told from the right ones before it.
    double test_accuracy() override;

protected:
    void load(StepIndex iteration) override;
    std::vector<SeriesInfo> more_series() const override;
    void push_more(RunWriter& writer, std::size_t first) override;

private:
    Settings settings_;
    Network net_;
};

/// Exercises that no training sees: so many of a seed of their own.
constexpr Dim test_exercises = 1000;

} // namespace gradus::gpt
