#include "lessons/experiments/train_cnn/network.hpp"

#include "engine/ops/ops.hpp"
#include "lessons/experiments/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus::cnn {

namespace {

constexpr Dim side = 28;

BatchSource batches_of(Tape& tape, const Settings& settings, const Dataset& data, std::uint64_t seed, bool training, Dim batch) {
    return BatchSource(tape, training ? data.x : data.test_x, training ? data.y : data.test_y,
                       {.batch = batch,
                        .seed = seed,
                        .dtype = settings.training.dtype,
                        .scale = 1.0 / 255.0,
                        .workers = training ? settings.workers : 0,
                        .x_name = "rows"});
}

ValueIndex group_norm(const Module& module, ValueIndex x, Dim channels, Dim groups) {
    const ValueIndex weight = module.constant("weight", {{channels, "C"}}, 1), bias = module.constant("bias", {{channels, "C"}}, 0);
    const std::vector<std::string> names{"out", "mean", "rstd"};
    return module.leave(module.apply(ops::group_norm(), {module.enter(x), weight, bias}, names, {1e-5, static_cast<double>(groups)})[0]);
}

} // namespace

Network::Network(Tape& tape, const Settings& settings, const Dataset& data, std::uint64_t seed, bool training, Dim batch)
    : batches(batches_of(tape, settings, data, seed, training, batch)) {
    const NodeIndex images = tape.apply(ops::reshape(), Phase::data, "batch", {batches.x}, {"x"},
                                        reshape_to(Shape{{batch, "B"}, {1, "C"}, {side, "H"}, {side, "W"}}));
    ValueIndex value = tape.node(images).outputs[0];
    tape.set_autocast(settings.training.low);
    const Module root(tape, "cnn", settings.training.dtype, seed, parameters);
    Dim channels = 1, size = side;
    int layer = 0;
    for (const Dim outputs : settings.channels) {
        const auto first = static_cast<NodeIndex>(tape.nodes().size());
        value = add_layer(root.part(fmt::format("layer{}", ++layer)), value, channels, outputs, settings, training);
        if (training && settings.training.checkpointing) tape.checkpoint_from(first);
        channels = outputs;
        size /= 2;
    }
    const Dim features = channels * size * size;
    const ValueIndex flat = root.apply(ops::reshape(), {value}, "flat", reshape_to({batch, features}));
    logits = Projection(root.part("fc"), features, data.classes)(flat);
    const NodeIndex node = tape.apply(ops::cross_entropy_with_logits(), Phase::forward, "loss", {logits, batches.y}, {"loss", "lse"});
    loss = tape.node(node).outputs[0];
    accuracy = tape.node(tape.apply(ops::accuracy(), Phase::forward, "loss", {logits, batches.y}, {"accuracy"})).outputs[0];
    tape.set_autocast({});
}

ValueIndex Network::add_layer(const Module& place, ValueIndex value, Dim channels, Dim outputs, const Settings& settings, bool training) {
    const Conv2d conv(place.part("conv"), channels, outputs, {.padding_h = 1, .padding_w = 1, .kernel_h = 3, .kernel_w = 3},
                      settings.norm == Norm::none); // a norm brings a bias of its own
    value = conv(value);
    if (settings.norm == Norm::batch) {
        BatchNorm& norm = norms.emplace_back(place.part("norm"), outputs);
        statistics.insert(statistics.end(), {norm.running_mean, norm.running_var});
        value = training ? norm(value) : norm.infer(value);
    } else if (settings.norm != Norm::none) { // of each image alone: the same on the test set
        value = group_norm(place.part("norm"), value, outputs, settings.groups);
    }
    value = place.apply(ops::relu(), {value}, "relu");
    const Window2d pool{.stride_h = 2, .stride_w = 2, .kernel_h = 2, .kernel_w = 2};
    if (settings.average) return place.apply(ops::avg_pool2d(), {value}, "pool", pool.attributes());
    return place.apply(ops::max_pool2d(), {value}, std::vector<std::string>{"pool", "switches"}, pool.attributes())[0];
}

namespace {

/// So many images go through the net at a time that its largest product takes a moment: a stop is heard between two ops.
Dim images_at_once(const Settings& settings) {
    constexpr double moment = 2e9; // FLOP
    double largest = 1, inputs = 1, edge = 28;
    for (const Dim outputs : settings.channels) {
        largest = std::max(largest, 18 * inputs * static_cast<double>(outputs) * edge * edge); // of a 3 × 3 convolution, for one image
        inputs = static_cast<double>(outputs);
        edge = std::floor(edge / 2);
    }
    return std::clamp<Dim>(static_cast<Dim>(moment / largest), 10, 250);
}

} // namespace

Tester::Tester(const Settings& settings, std::shared_ptr<const Dataset> data, std::shared_ptr<Device> device, std::stop_token stop)
    : data_(std::move(data)), tape_(std::move(device), std::make_shared<BufferPool>()),
      batch_(evaluation_piece(data_->test_x.shape()[0], images_at_once(settings))), net_(tape_, settings, *data_, 0, false, batch_) {
    tape_.heed(std::move(stop));
}

double Tester::accuracy(const Tape& tape, const Network& net, Evaluating* evaluating) {
    for (std::size_t i = 0; i < net.parameters.size(); ++i) tape_.set(net_.parameters[i], tape.tensor(net.parameters[i]));
    for (std::size_t i = 0; i < net.statistics.size(); ++i) tape_.set(net_.statistics[i], tape.tensor(net.statistics[i]));
    const Dim examples = data_->test_x.shape()[0];
    EvaluationProgress progress(evaluating, examples / batch_);
    double right = 0;
    for (Dim from = 0; from < examples; from += batch_) {
        net_.batches.load_rows(tape_, from);
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) tape_.execute(node);
        right += std::round(tape_.scalar(net_.accuracy) * static_cast<double>(batch_));
        progress.piece_done();
    }
    return right / static_cast<double>(examples);
}

} // namespace gradus::cnn
