#include "engine/trace/derive/strongest_inputs.hpp"

#include "engine/core/error.hpp"
#include "engine/trace/derive/forward_pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace gradus {

namespace {

/// The forward op that reads `name` first and `others` more values; null where there is none.
const EventSite* reader_of(const Run& run, const std::string& name, std::size_t others) {
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        if (site.level == Level::op && site.phase == Phase::forward && site.inputs.size() == 1 + others && !site.outputs.empty() &&
            site.inputs[0].name == name)
            return &site;
    }
    return nullptr;
}

/// Row by row, the numbers that a batch of these examples would hold: a byte times 1/255 in the batch's precision, as the op
/// that gathers a batch multiplies it.
std::vector<double> numbers_of(const Tensor& examples, Dim rows, DType dtype) {
    const Dim count = rows * examples.shape()[1];
    std::vector<double> out(static_cast<std::size_t>(count));
    if (examples.dtype() == DType::u8 && examples.contiguous()) {
        const auto* bytes = examples.data<std::uint8_t>();
        for (Dim i = 0; i < count; ++i)
            out[static_cast<std::size_t>(i)] = dtype == DType::f32 ? double{static_cast<float>(bytes[i]) * static_cast<float>(1.0 / 255.0)}
                                                                   : static_cast<double>(bytes[i]) * (1.0 / 255.0);
        return out;
    }
    for (Dim i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = examples.at(i);
    return out;
}

std::vector<double> numbers_of(const Tensor& tensor) {
    std::vector<double> out(static_cast<std::size_t>(tensor.elements()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = tensor.at(static_cast<Dim>(i));
    return out;
}

} // namespace

std::optional<FirstLayer> first_layer(const Run& run) {
    const EventSite* product = nullptr;
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        if (site.level != Level::op || site.phase != Phase::forward || site.name != "matmul" || site.inputs.size() != 2 || site.outputs.empty()) continue;
        if (!product || site.ordinal < product->ordinal) product = &site;
    }
    if (!product) return std::nullopt;
    FirstLayer layer{product->inputs[0].name, product->inputs[1].name, {}, product->outputs[0].name, {}, {}};
    const EventSite* sum = reader_of(run, layer.product, 1);
    if (!sum || sum->name != "add_bias") return std::nullopt;
    layer.bias = sum->inputs[1].name;
    layer.z = sum->outputs[0].name;
    if (const EventSite* activation = reader_of(run, layer.z, 0))
        layer.a = activation->outputs[0].name;
    return layer;
}

NeuronAnswers neuron_answers(const Run& run, const Run& origin, StepIndex iteration, const Tensor& examples, Dim count) {
    const auto layer = first_layer(run);
    if (!layer) throw UnavailableError("this run has no layer of neurons that reads its data");
    const auto inputs = forward_inputs(run, origin, iteration);
    const auto input = [&](const std::string& name) -> const Tensor& {
        for (const RecordedTensor& recorded : inputs)
            if (recorded.name == name) return recorded.tensor;
        throw UnavailableError(fmt::format("'{}' of iteration {} is not at hand", name, iteration));
    };
    NeuronAnswers out;
    out.layer = *layer;
    out.weight = input(layer->weight);
    out.bias = input(layer->bias);
    const Shape &shape = examples.shape(), &weight = out.weight.shape();
    if (shape.rank() != 2 || weight.rank() != 2 || shape[1] != weight[0])
        throw ShapeError(fmt::format("{} has {} rows, so examples {} cannot be multiplied with it", layer->weight, weight[0], shape.text()));
    out.examples = std::min(count, shape[0]);
    out.neurons = weight[1];
    if (out.examples < 1) return out;
    const DType dtype = out.weight.dtype();
    ForwardPass pass(run, inputs, {dtype, out.examples, false});
    pass.run(numbers_of(examples, out.examples, dtype));
    out.z = numbers_of(pass.tensor(layer->z));
    if (!layer->a.empty()) out.a = numbers_of(pass.tensor(layer->a));
    return out;
}

std::vector<Dim> strongest_inputs(const NeuronAnswers& answers, Dim neuron, std::size_t count) {
    std::vector<Dim> order;
    if (neuron < 0 || neuron >= answers.neurons) return order;
    order.resize(static_cast<std::size_t>(answers.examples));
    std::iota(order.begin(), order.end(), Dim{0});
    const auto key = [&](Dim example) {
        const double z = answers.z_of(example, neuron);
        return std::isnan(z) ? -INFINITY : z;
    };
    std::stable_sort(order.begin(), order.end(), [&](Dim one, Dim other) { return key(one) > key(other); });
    order.resize(std::min(count, order.size()));
    return order;
}

} // namespace gradus
