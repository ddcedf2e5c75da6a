#pragma once

#include "engine/nn/layers.hpp"
#include "lessons/experiments/batch_source.hpp"
#include "lessons/experiments/train_cnn/settings.hpp"

#include <memory>

namespace gradus::cnn {

/// As often can an image of 28 × 28 be halved.
constexpr std::size_t most_convolutions = 4;

/// The forward pass of the net on a tape: a batch of rows of the data set, for each width a convolution 3 × 3, a norm or a bias, ReLU
/// and pooling 2 × 2, then one fully connected layer to the classes, loss and accuracy.
struct Network {
    /// With `training` false: on the test set, with running statistics.
    Network(Tape& tape, const Settings& settings, const Dataset& data, std::uint64_t seed, bool training, Dim batch);

    BatchSource batches;
    std::vector<ValueIndex> parameters;
    std::vector<ValueIndex> statistics; ///< running means and variances
    std::vector<BatchNorm> norms;
    ValueIndex logits = no_value, loss = no_value, accuracy = no_value;

private:
    ValueIndex add_layer(const Module& place, ValueIndex value, Dim channels, Dim outputs, const Settings& settings, bool training);
};

/// A net that tells the test set, on a tape of its own.
class Tester {
public:
    Tester(const Settings& settings, std::shared_ptr<const Dataset> data, std::shared_ptr<Device> device, std::stop_token stop);
    /// The share of test images that it tells right with the parameters and running statistics of `net` on `tape`. Throws
    /// Interrupted once a stop was requested.
    double accuracy(const Tape& tape, const Network& net, Evaluating* evaluating);

private:
    std::shared_ptr<const Dataset> data_;
    Tape tape_;
    Dim batch_;
    Network net_;
};

} // namespace gradus::cnn
