#include "lessons/experiments/train_mlp/network.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/nn/linear.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gradus::mlp {

namespace {

template <class To> Tensor converted(BufferPool& pool, const Tensor& from, double scale = 1.0) {
    std::vector<To> values(static_cast<std::size_t>(from.elements()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<To>(from.at(static_cast<Dim>(i)) * scale);
    return Tensor::from<To>(pool, from.shape(), values);
}

Tensor as(BufferPool& pool, const Tensor& from, DType dtype) {
    return dtype == DType::f64 ? converted<double>(pool, from) : converted<float>(pool, from);
}

/// Class labels as the loss wants them: int32 classes, or numbers of the output's width (0 and 1, one-hot).
Tensor targets(BufferPool& pool, const Tensor& labels, const Settings& settings) {
    if (settings.loss == Loss::softmax) return labels;
    const Dim width = settings.layers.back();
    std::vector<double> values;
    for (Dim i = 0; i < labels.elements(); ++i)
        for (Dim j = 0; j < width; ++j)
            values.push_back(width == 1 ? labels.at(i) : static_cast<double>(labels.at(i) == static_cast<double>(j)));
    const Tensor wide = Tensor::from<double>(pool, {{labels.elements(), "N"}, {width, "out"}}, values);
    return as(pool, wide, settings.dtype);
}

void write(const Tensor& tensor, Dim flat, double value) {
    auto* data = const_cast<std::byte*>(tensor.raw());
    if (tensor.dtype() == DType::f32) reinterpret_cast<float*>(data)[flat] = static_cast<float>(value);
    else reinterpret_cast<double*>(data)[flat] = value;
}

const Op& activation_op(const std::string& name) {
    if (name == "tanh") return ops::tanh();
    if (name == "sigmoid") return ops::sigmoid();
    if (name == "gelu") return ops::gelu();
    if (name == "silu") return ops::silu();
    if (name == "step") return ops::step();
    return ops::relu();
}

} // namespace

Network::Network(std::shared_ptr<Device> device, std::shared_ptr<BufferPool> pool, Settings settings,
                 std::shared_ptr<const Dataset> dataset, std::uint64_t seed, bool training)
    : settings_(std::move(settings)), dataset_(std::move(dataset)), seed_(seed),
      tape_(std::move(device), std::move(pool)) {
    add_data(training);
    add_layers();
    add_loss();
    forward_end_ = static_cast<NodeIndex>(tape_.nodes().size());
    if (training) add_updates();
}

// Bytes stay bytes until they are gathered into a batch; points and their targets are editable, so they belong to the state.
void Network::add_data(bool training) {
    BufferPool& pool = tape_.pool();
    const Tensor& x = training ? dataset_->x : dataset_->test_x;
    const Tensor y = targets(pool, training ? dataset_->y : dataset_->test_y, settings_);
    const bool bytes = x.dtype() == DType::u8;
    const Tensor source = bytes ? x : as(pool, x, settings_.dtype);
    const bool whole = settings_.batch == x.shape()[0] && !bytes;
    if (whole) {
        x_ = tape_.input("x", source, Role::data);
        y_ = tape_.input("y", y, Role::data);
        if (training) state_.insert(state_.end(), {x_, y_});
        return;
    }
    batches_.emplace(tape_, source, y,
                     BatchSource::Settings{.batch = settings_.batch,
                                           .seed = seed_,
                                           .dtype = settings_.dtype,
                                           .scale = bytes ? 1.0 / 255.0 : 1.0,
                                           .workers = training ? settings_.workers : 0});
    x_ = batches_->x;
    y_ = batches_->y;
    if (training && !bytes) state_.insert(state_.end(), {batches_->all_x, batches_->all_y});
}

void Network::add_layers() {
    ValueIndex activation = x_;
    for (int layer = 1; layer <= static_cast<int>(settings_.products()); ++layer) {
        const auto l = static_cast<std::size_t>(layer);
        const LinearInit init =
            init_linear(tape_.pool(), settings_.layers[l - 1], settings_.layers[l], settings_.dtype, seed_, layer);
        const ValueIndex weight = tape_.input(fmt::format("W{}", layer), init.weight, Role::parameter, true);
        const ValueIndex bias = tape_.input(fmt::format("b{}", layer), init.bias, Role::parameter, true);
        parameters_.push_back(weight);
        parameters_.push_back(bias);
        activation = apply_linear(tape_, activation, weight, bias, layer).output;
        if (l == settings_.products()) break;
        activation = tape_.node(tape_.apply(activation_op(settings_.activation), Phase::forward,
                                            fmt::format("layer{}", layer), {activation}, {fmt::format("a{}", layer)}))
                         .outputs[0];
    }
    prediction_ = activation;
    state_.insert(state_.end(), parameters_.begin(), parameters_.end());
}

void Network::add_loss() {
    NodeIndex node = 0, metric = 0;
    switch (settings_.loss) {
    case Loss::softmax:
        node = tape_.apply(ops::softmax_cross_entropy(), Phase::forward, "loss", {prediction_, y_}, {"p", "loss"});
        metric = tape_.apply(ops::accuracy(), Phase::forward, "loss", {prediction_, y_}, {"accuracy"});
        break;
    case Loss::bce:
        node = tape_.apply(ops::binary_cross_entropy(), Phase::forward, "loss", {prediction_, y_}, {"p", "loss"});
        metric = tape_.apply(ops::binary_accuracy(), Phase::forward, "loss", {prediction_, y_}, {"accuracy"}, {0.0});
        break;
    case Loss::mse:
        node = tape_.apply(ops::mean_squared_error(), Phase::forward, "loss", {prediction_, y_}, {"loss"});
        metric = settings_.layers.back() == 1 // else one output for each class
                     ? tape_.apply(ops::binary_accuracy(), Phase::forward, "loss", {prediction_, y_}, {"accuracy"}, {0.5})
                     : tape_.apply(ops::one_hot_accuracy(), Phase::forward, "loss", {prediction_, y_}, {"accuracy"});
        break;
    }
    loss_ = tape_.node(node).outputs.back();
    accuracy_ = tape_.node(metric).outputs[0];
}

// `omit` leaves out a line of the training loop: without zero_grad the gradients of all steps so far add up,
// without backward there are none and the optimizer finds nothing to apply, without step nothing moves.
void Network::add_updates() {
    if (settings_.omit == "backward") return;
    tape_.backward(loss_);
    std::vector<ValueIndex> gradients;
    for (const ValueIndex parameter : parameters_) gradients.push_back(tape_.value(parameter).gradient);
    if (settings_.omit == "zero_grad") {
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const Value& parameter = tape_.value(parameters_[i]);
            const std::size_t bytes = static_cast<std::size_t>(parameter.shape.elements()) * size_of(parameter.dtype);
            StorageRef zeros = tape_.pool().allocate(bytes);
            std::memset(zeros.data(), 0, bytes);
            const std::string name = "grad_" + parameter.name, module = tape_.node(tape_.value(gradients[i]).producer).module;
            const ValueIndex kept =
                tape_.input(name, Tensor(std::move(zeros), parameter.shape, parameter.dtype), Role::gradient);
            tape_.apply_onto(ops::add(), Phase::backward, module, {kept, gradients[i]}, {kept});
            gradients[i] = kept;
            kept_gradients_.push_back(kept);
            state_.push_back(kept);
        }
    }
    if (settings_.omit == "step") return;
    optimizer_.emplace(tape_, settings_.optimizer, parameters_, gradients);
    state_.insert(state_.end(), optimizer_->state().begin(), optimizer_->state().end());
}

void Network::load_batch(StepIndex iteration) {
    if (batches_) batches_->load(tape_, iteration);
}

void Network::step() {
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) tape_.execute(node);
}

double Network::forward() {
    for (NodeIndex node = 0; node < forward_end_; ++node) tape_.execute(node);
    return loss();
}

ValueIndex Network::gradient_of(ValueIndex parameter) const {
    for (std::size_t i = 0; i < kept_gradients_.size(); ++i)
        if (parameters_[i] == parameter) return kept_gradients_[i];
    return tape_.value(parameter).gradient;
}

double Network::gradient_norm() const {
    double sum = 0;
    for (const ValueIndex parameter : parameters_) {
        const ValueIndex gradient = gradient_of(parameter);
        if (gradient == no_value) continue;
        const Tensor tensor = tape_.tensor(gradient);
        const auto add = [&]<class T>(const T* values) {
            for (Dim i = 0; i < tensor.elements(); ++i) {
                const auto value = static_cast<double>(values[i]);
                sum += value * value;
            }
        };
        if (tensor.dtype() == DType::f32) add(tensor.data<float>());
        else add(tensor.data<double>());
    }
    return std::sqrt(sum);
}

// What a step computes anew would be overwritten before anything read it, so only the state can be edited.
ValueIndex Network::editable(const std::string& name, const std::vector<Dim>& index, Dim& flat) const {
    const ValueIndex value = tape_.find(name);
    const auto can = [&](ValueIndex at) { return is_floating(tape_.value(at).dtype); };
    if (value == no_value || !can(value) || std::find(state_.begin(), state_.end(), value) == state_.end()) {
        std::vector<std::string> names;
        for (const ValueIndex other : state_)
            if (can(other)) names.push_back(tape_.value(other).name);
        throw ArgumentError(value == no_value ? fmt::format("there is no parameter '{}'; there are {}", name, joined(names))
                                              : fmt::format("'{}' cannot be edited: every step computes it anew or it holds "
                                                            "no real numbers; what can be edited is {}", name, joined(names)));
    }
    flat = place_of(tape_.value(value).shape, index, name);
    return value;
}

void Network::set_element(const std::string& name, const std::vector<Dim>& index, double number) {
    Dim flat = 0;
    const ValueIndex value = editable(name, index, flat);
    const Tensor copy = tape_.tensor(value).contiguous_copy(tape_.pool()); // snapshots keep the old contents
    write(copy, flat, number);
    tape_.set(value, copy);
}

double Network::element(const std::string& name, const std::vector<Dim>& index) const {
    const ValueIndex value = tape_.find(name);
    if (value == no_value) throw ArgumentError(fmt::format("there is no parameter '{}' nor any other value of that name", name));
    return tape_.tensor(value).at(place_of(tape_.value(value).shape, index, name));
}

double Network::test_accuracy(const Network& trained, std::shared_ptr<Device> device, const std::stop_token& stop,
                              Evaluating* evaluating) {
    return accuracy_on(trained, std::move(device), trained.dataset_, stop, evaluating);
}

double Network::training_accuracy(const Network& trained, std::shared_ptr<Device> device) {
    auto swapped = std::make_shared<Dataset>(trained.dataset());
    swapped->test_x = swapped->x;
    swapped->test_y = swapped->y;
    return accuracy_on(trained, std::move(device), std::move(swapped));
}

double Network::accuracy_on(const Network& trained, std::shared_ptr<Device> device, std::shared_ptr<const Dataset> dataset,
                            const std::stop_token& stop, Evaluating* evaluating) {
    Settings settings = trained.settings();
    const Dim examples = dataset->test_x.shape()[0];
    settings.batch = dataset->test_x.dtype() == DType::u8 ? evaluation_piece(examples, 500) : examples;
    Network tester(std::move(device), std::make_shared<BufferPool>(), settings, std::move(dataset), trained.seed_, false);
    tester.tape_.heed(stop);
    for (std::size_t i = 0; i < tester.parameters_.size(); ++i)
        tester.tape_.set(tester.parameters_[i], trained.tape_.tensor(trained.parameters_[i]));
    EvaluationProgress progress(evaluating, examples / settings.batch);
    double right = 0;
    for (Dim from = 0; from < examples; from += settings.batch) {
        if (tester.batches_) tester.batches_->load_rows(tester.tape_, from);
        tester.forward();
        right += std::round(tester.accuracy() * static_cast<double>(settings.batch));
        progress.piece_done();
    }
    return right / static_cast<double>(examples);
}

} // namespace gradus::mlp
