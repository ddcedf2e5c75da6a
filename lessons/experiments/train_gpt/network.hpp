#pragma once

#include "engine/nn/containers.hpp"
#include "engine/nn/layers.hpp"
#include "lessons/experiments/train_gpt/settings.hpp"

#include <memory>

namespace gradus::gpt {

/// A small language model on a tape: embedding, pre-norm Transformer blocks, a projection to the vocabulary at the answer's places,
/// loss and accuracy. Each block is x + attention(norm(x)), then x + mlp(norm(x)).
struct Network {
    /// With `training` false: no dropout, nothing computed again.
    Network(Tape& tape, const Settings& settings, std::uint64_t seed, bool training, Dim batch);

    std::vector<ValueIndex> parameters;
    std::vector<std::shared_ptr<Dropout>> dropouts;
    ValueIndex tokens = no_value;  ///< (B, T) int32, written before each step
    ValueIndex answers = no_value; ///< (B · A) int32, written before each step
    ValueIndex logits = no_value;  ///< (B · A, V)
    ValueIndex loss = no_value;    ///< what is minimised: the cross-entropy, and 0.01 of each layer's load balance
    ValueIndex balance = no_value; ///< () the load balance, the mean over the layers; no_value without experts
    ValueIndex accuracy = no_value;

private:
    ValueIndex embedded(const Module& root, const Settings& settings, ValueIndex positions, ValueIndex& table);
    Layer norm(const Module& place, const Settings& settings) const;
    Layer attention(const Module& place, const Settings& settings, ValueIndex positions) const;
    Layer mlp(const Module& place, const Settings& settings);
    Layer block(const Module& place, const Settings& settings, ValueIndex positions, double p, std::uint64_t seed);
    ValueIndex cross_entropy(const Module& root, const Settings& settings, const std::string& name) const;
    Layer with_dropout(const Module& place, Layer layer, double p, std::uint64_t seed);
    void add_loss(const Module& root, ValueIndex x, ValueIndex table, const Settings& settings, Dim batch);

    std::vector<ValueIndex> balances_;
};

} // namespace gradus::gpt
