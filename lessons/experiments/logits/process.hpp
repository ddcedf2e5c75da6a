#pragma once

#include "engine/optim/optimizer.hpp"
#include "lessons/experiments/tape_process.hpp"

namespace gradus::logit {

/// One row of logits, its softmax, its cross-entropy with one label, and both gradients: the one at the probabilities,
/// -y/p, and the one at the logits, p - y. Each iteration updates the logits: z ← z - lr · ∂z.
class LogitsProcess : public TapeProcess {
public:
    explicit LogitsProcess(const Setup& setup);

    std::vector<SeriesInfo> series() const override;
    Dim classes() const { return classes_; }
    Dim label() const { return label_; }
    double loss() const { return tape_.scalar(loss_); }
    double probability(Dim i) const { return number("p", i); }
    double gradient(Dim i) const { return number("dz", i); }             ///< ∂L/∂z_i
    double probability_gradient(Dim i) const { return number("dp", i); } ///< ∂L/∂p_i
    double arrow() const { return gradient_norm(); }                     ///< ‖p - y‖₂

protected:
    void push(RunWriter& writer, StepIndex iteration) override;
    void set_setting(const std::string& name, double value, StepIndex iteration) override;
    std::vector<std::pair<std::string, double>> settings() const override;

private:
    Dim classes_ = 5, label_ = 0;
    ValueIndex loss_ = no_value;
    std::optional<Optimizer> optimizer_;
};

/// The logits that a setup starts with: its numbers times `scale` plus `shift`.
std::vector<double> starting_logits(const Setup& setup);

} // namespace gradus::logit
