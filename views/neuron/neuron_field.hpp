#pragma once

#include "engine/data/dataset.hpp"
#include "engine/trace/derive/strongest_inputs.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace gradus {

constexpr Dim neuron_images = 500; ///< of the test set: so many are asked

/// Whose answers are wanted: those of the first layer with the parameters that an iteration's forward pass read.
struct NeuronWish {
    std::shared_ptr<const Run> full, origin;
    StepIndex iteration = -1;
    std::shared_ptr<const Dataset> data;
    TensorId weight, bias; ///< of that iteration
    /// The same numbers come of it: neither the parameters nor the images are others.
    bool same(const NeuronWish& other) const {
        return origin == other.origin && data == other.data && weight == other.weight && bias == other.bias;
    }
};
NeuronWish neuron_wish(std::shared_ptr<const Run> full, std::shared_ptr<const Run> origin, StepIndex iteration,
                       std::shared_ptr<const Dataset> data);

struct NeuronField {
    NeuronWish wish;
    NeuronAnswers answers;
    std::string refusal; ///< a sentence where there is nothing to be shown
};
/// Never null; a refusal is a result too.
std::shared_ptr<const NeuronField> neuron_field(const NeuronWish& wish, const std::atomic<bool>& outdated);

} // namespace gradus
