#pragma once

#include "lessons/experiments/batch_source.hpp"
#include "lessons/experiments/evaluation.hpp"
#include "lessons/experiments/train_mlp/settings.hpp"

#include <memory>
#include <optional>

namespace gradus::mlp {

/// A perceptron with its data and optimizer written on a tape: what one training step executes, in order.
class Network {
public:
    /// With `training` false: forward only, over `rows` examples of the test set at a time.
    Network(std::shared_ptr<Device> device, std::shared_ptr<BufferPool> pool, Settings settings,
            std::shared_ptr<const Dataset> dataset, std::uint64_t seed, bool training = true);

    Tape& tape() { return tape_; }
    const Tape& tape() const { return tape_; }
    const Settings& settings() const { return settings_; }
    const Dataset& dataset() const { return *dataset_; }
    std::uint64_t seed() const { return seed_; }

    /// Places the rows of an iteration's batch; does nothing where the batch is the whole set.
    void load_batch(StepIndex iteration);
    /// Executes every node once: one training step.
    void step();
    /// Executes data and forward nodes only; returns the loss.
    double forward();

    double loss() const { return tape_.scalar(loss_); }
    double accuracy() const { return tape_.scalar(accuracy_); }
    /// ‖∂L/∂θ‖₂ over all parameters, in double precision.
    double gradient_norm() const;

    /// Parameters, optimizer state, kept gradients and editable data, in a fixed order.
    const std::vector<ValueIndex>& state() const { return state_; }
    const std::vector<ValueIndex>& parameters() const { return parameters_; }
    /// What load_batch() writes.
    std::vector<ValueIndex> fed() const { return batches_ ? batches_->fed() : std::vector<ValueIndex>{}; }
    /// What brings the batches, and what it did for the one at hand; null where the tape gathers them.
    const Loader* loader() const { return batches_ ? batches_->loader() : nullptr; }
    ValueIndex gradient_of(ValueIndex parameter) const;
    ValueIndex loss_value() const { return loss_; }
    ValueIndex prediction() const { return prediction_; } ///< logits or outputs (B, out)
    Optimizer* optimizer() { return optimizer_ ? &*optimizer_ : nullptr; }

    /// Writes one entry of the state. Throws ArgumentError naming what is wrong.
    void set_element(const std::string& name, const std::vector<Dim>& index, double value);
    double element(const std::string& name, const std::vector<Dim>& index) const;

    /// Share of test examples that a network with these parameters tells right. Throws Interrupted once a stop was requested.
    static double test_accuracy(const Network& trained, std::shared_ptr<Device> device, const std::stop_token& stop = {},
                                Evaluating* evaluating = nullptr);
    /// The same share of the training examples, all of them.
    static double training_accuracy(const Network& trained, std::shared_ptr<Device> device);

private:
    void add_data(bool training);
    void add_layers();
    void add_loss();
    void add_updates();
    ValueIndex editable(const std::string& name, const std::vector<Dim>& index, Dim& flat) const;
    static double accuracy_on(const Network& trained, std::shared_ptr<Device> device, std::shared_ptr<const Dataset> dataset,
                              const std::stop_token& stop = {}, Evaluating* evaluating = nullptr);

    Settings settings_;
    std::shared_ptr<const Dataset> dataset_;
    std::uint64_t seed_;
    Tape tape_;
    std::optional<BatchSource> batches_; ///< absent where the batch is the whole set
    std::optional<Optimizer> optimizer_;
    ValueIndex x_ = no_value, y_ = no_value;
    ValueIndex prediction_ = no_value, loss_ = no_value, accuracy_ = no_value;
    std::vector<ValueIndex> parameters_, state_, kept_gradients_;
    NodeIndex forward_end_ = 0;
};

} // namespace gradus::mlp
