#include "lessons/experiments/train_cnn/network.hpp"

#include "engine/ops/ops.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus::cnn {

namespace {

constexpr Dim side = 28;

/// The largest piece of the test set, up to 250 images, that divides it, so that every image counts once.
Dim piece_of(Dim examples) {
    for (Dim piece = std::min<Dim>(examples, 250); piece > 1; --piece)
        if (examples % piece == 0) return piece;
    return 1;
}

} // namespace

Network::Network(Tape& tape, const Settings& settings, const Dataset& data, std::uint64_t seed, bool training, Dim batch) {
    add_batch(tape, data, training, batch, settings.dtype);
    tape.set_autocast(settings.low);
    const Module root(tape, "cnn", settings.dtype, seed, parameters);
    ValueIndex value = x;
    Dim channels = 1, size = side;
    int layer = 0;
    for (const Dim outputs : settings.channels) {
        ++layer;
        const Module place = root.part(fmt::format("layer{}", layer));
        const Conv2d conv(place.part("conv"), channels, outputs, {.padding_h = 1, .padding_w = 1, .kernel_h = 3, .kernel_w = 3},
                          !settings.batch_norm); // a norm takes any bias away
        value = conv(value);
        if (settings.batch_norm) {
            BatchNorm& norm = norms.emplace_back(place.part("norm"), outputs);
            statistics.insert(statistics.end(), {norm.running_mean, norm.running_var});
            value = training ? norm(value) : norm.infer(value);
        }
        value = place.apply(ops::relu(), {value}, "relu");
        const Window2d pool{.stride_h = 2, .stride_w = 2, .kernel_h = 2, .kernel_w = 2};
        value = place.apply(ops::max_pool2d(), {value}, std::vector<std::string>{"pool", "switches"}, pool.attributes())[0];
        channels = outputs;
        size /= 2;
    }
    const Dim features = channels * size * size;
    const ValueIndex flat = root.apply(ops::reshape(), {value}, "flat", reshape_to({batch, features}));
    logits = Projection(root.part("fc"), features, data.classes)(flat);
    const NodeIndex node = tape.apply(ops::cross_entropy_with_logits(), Phase::forward, "loss", {logits, y}, {"loss", "lse"});
    loss = tape.node(node).outputs[0];
    accuracy = tape.node(tape.apply(ops::accuracy(), Phase::forward, "loss", {logits, y}, {"accuracy"})).outputs[0];
    tape.set_autocast({});
}

void Network::add_batch(Tape& tape, const Dataset& data, bool training, Dim batch, DType dtype) {
    const ValueIndex images = tape.input("data", training ? data.x : data.test_x, Role::data);
    const ValueIndex labels = tape.input("labels", training ? data.y : data.test_y, Role::data);
    const std::vector<std::int32_t> none(static_cast<std::size_t>(batch), 0);
    index = tape.input("index", Tensor::from<std::int32_t>(tape.pool(), {{batch, "B"}}, none), Role::data);
    const auto append = [&](const Op& op, std::vector<ValueIndex> inputs, const char* name, Attributes attributes) {
        return tape.node(tape.apply(op, Phase::data, "batch", std::move(inputs), {name}, attributes)).outputs[0];
    };
    const ValueIndex rows = append(ops::gather(), {images, index}, "rows", {1.0 / 255.0, static_cast<double>(dtype)});
    y = append(ops::gather(), {labels, index}, "y", {1.0, static_cast<double>(DType::i32)});
    x = append(ops::reshape(), {rows}, "x", reshape_to(Shape{{batch, "B"}, {1, "C"}, {side, "H"}, {side, "W"}}));
}

Tester::Tester(const Settings& settings, std::shared_ptr<const Dataset> data, std::shared_ptr<Device> device)
    : data_(std::move(data)), tape_(std::move(device), std::make_shared<BufferPool>()),
      batch_(piece_of(data_->test_x.shape()[0])), net_(tape_, settings, *data_, 0, false, batch_) {}

double Tester::accuracy(const Tape& tape, const Network& net) {
    for (std::size_t i = 0; i < net.parameters.size(); ++i) tape_.set(net_.parameters[i], tape.tensor(net.parameters[i]));
    for (std::size_t i = 0; i < net.statistics.size(); ++i) tape_.set(net_.statistics[i], tape.tensor(net.statistics[i]));
    const Dim examples = data_->test_x.shape()[0];
    double right = 0;
    for (Dim from = 0; from < examples; from += batch_) {
        auto* index = static_cast<std::int32_t*>(tape_.writable(net_.index));
        for (Dim i = 0; i < batch_; ++i) index[i] = static_cast<std::int32_t>(from + i);
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) tape_.execute(node);
        right += std::round(tape_.scalar(net_.accuracy) * static_cast<double>(batch_));
    }
    return right / static_cast<double>(examples);
}

} // namespace gradus::cnn
