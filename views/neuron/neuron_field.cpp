#include "views/neuron/neuron_field.hpp"

#include "engine/core/error.hpp"

namespace gradus {

NeuronWish neuron_wish(std::shared_ptr<const Run> full, std::shared_ptr<const Run> origin, StepIndex iteration,
                       std::shared_ptr<const Dataset> data) {
    NeuronWish wish{std::move(full), std::move(origin), iteration, std::move(data), {}, {}};
    const auto layer = first_layer(*wish.full);
    const auto tensors = wish.full->tensors_of(iteration);
    if (!layer || !tensors) return wish;
    const auto id_of = [&](const std::string& name) { // the state an iteration began with stands before what its events wrote
        for (const RecordedTensor& recorded : tensors->tensors)
            if (recorded.name == name) return recorded.id;
        return TensorId{};
    };
    wish.weight = id_of(layer->weight);
    wish.bias = id_of(layer->bias);
    return wish;
}

std::shared_ptr<const NeuronField> neuron_field(const NeuronWish& wish, const std::atomic<bool>&) {
    auto field = std::make_shared<NeuronField>();
    field->wish = wish;
    try {
        field->answers = neuron_answers(*wish.full, *wish.origin, wish.iteration, wish.data->test_x, neuron_images);
    } catch (const Error& error) {
        field->refusal = error.what();
    }
    return field;
}

} // namespace gradus
