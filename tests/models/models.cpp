#include "tests/models/models.hpp"

#include "engine/core/text.hpp"
#include "engine/nn/transformer.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/tensors.hpp"

#include <fmt/format.h>
#include <stdexcept>

namespace gradus::test {

namespace {

constexpr Dim gpt_length = 16, gpt_channels = 32, gpt_heads = 4;
constexpr int gpt_blocks = 4;

Dim batch_of(const Golden& golden) { return golden.at(golden.has("index") ? "index" : "start").shape()[1]; }

} // namespace

RunSettings run_settings(const std::string& name) {
    using Kind = Optimizer::Kind;
    RunSettings s{name, {}, DType::f32, {}};
    const auto parts = split(name, '_');
    if (parts[0] == "sgd") s.optimizer = {.kind = Kind::sgd, .lr = 0.1};
    else if (parts[0] == "momentum") s.optimizer = {.kind = Kind::momentum, .lr = 0.02, .momentum = 0.9};
    else if (parts[0] == "adam") s.optimizer = {.kind = Kind::adam, .lr = 0.001};
    else if (parts[0] == "adamw") s.optimizer = {.kind = Kind::adamw, .lr = 0.001, .weight_decay = 0.1};
    else throw std::runtime_error("no settings for the run " + name);
    if (parts[1] == "fp64") s.dtype = DType::f64;
    if (parts[1] == "fp16") s.low = DType::f16;
    if (parts[1] == "bf16") s.low = DType::bf16;
    return s;
}

bool zero_by_construction(const std::string& parameter) {
    return parameter == "cnn.conv1.bias" || parameter == "cnn.conv2.bias" || parameter.ends_with(".k_proj.bias");
}

GoldenTraining::GoldenTraining(const Golden& golden, const RunSettings& settings, std::shared_ptr<Device> device,
                               std::shared_ptr<const Dataset> data)
    : golden_(golden), data_(std::move(data)), tape_(std::move(device), std::make_shared<BufferPool>()),
      model_(golden.metadata.at("case").substr(6)), root_(tape_, model_, settings.dtype, 1, parameters_) {
    tape_.set_autocast(settings.low);
    const ValueIndex logits = model_ == "mlp" ? add_mlp() : model_ == "cnn" ? add_cnn() : add_gpt();
    loss_ = root_.apply(ops::cross_entropy_with_logits(), {logits, y_}, std::vector<std::string>{"loss", "lse"})[0];
    add_updates(settings);
    for (const ValueIndex parameter : parameters_) {
        const Tensor init = golden.at(tape_.value(parameter).name + ".init");
        tape_.set(parameter, init.copy_in(tape_.pool(), settings.dtype));
    }
}

ValueIndex GoldenTraining::add_targets(Dim count) {
    return tape_.input(
        "y", Tensor::from<std::int32_t>(tape_.pool(), {{count, "N"}}, std::vector<std::int32_t>(static_cast<std::size_t>(count))),
        Role::data);
}

ValueIndex GoldenTraining::add_mlp() {
    const Dim batch = batch_of(golden_);
    const Shape shape{{batch, "B"}, {784, "in"}};
    x_ = tape_.input("x", tensor_of(shape, std::vector<double>(static_cast<std::size_t>(shape.elements())), root_.dtype()),
                     Role::data);
    y_ = add_targets(batch);
    const Projection first(root_.part("fc1"), 784, 32), second(root_.part("fc2"), 32, 16), third(root_.part("fc3"), 16, 10);
    const ValueIndex hidden = root_.apply(ops::relu(), {first(x_)}, "a1");
    return third(root_.apply(ops::relu(), {second(hidden)}, "a2"));
}

ValueIndex GoldenTraining::add_cnn() {
    const Dim batch = batch_of(golden_);
    const Shape shape{{batch, "B"}, {1, "C"}, {28, "H"}, {28, "W"}};
    x_ = tape_.input("x", tensor_of(shape, std::vector<double>(static_cast<std::size_t>(shape.elements())), root_.dtype()),
                     Role::data);
    y_ = add_targets(batch);
    ValueIndex value = x_;
    Dim channels = 1;
    for (const Dim outputs : {6, 12}) {
        const std::size_t layer = norms_.size() + 1;
        const Conv2d conv(root_.part(fmt::format("conv{}", layer)), channels, outputs,
                          {.padding_h = 1, .padding_w = 1, .kernel_h = 3, .kernel_w = 3});
        norms_.emplace_back(root_.part(fmt::format("norm{}", layer)), outputs);
        const ValueIndex active = root_.apply(ops::relu(), {norms_.back()(conv(value))}, fmt::format("a{}", layer));
        const Window2d pool{.stride_h = 2, .stride_w = 2, .kernel_h = 2, .kernel_w = 2};
        value = root_.apply(ops::max_pool2d(), {active},
                            std::vector{fmt::format("pool{}", layer), fmt::format("switches{}", layer)}, pool.attributes())[0];
        channels = outputs;
    }
    const ValueIndex flat = root_.apply(ops::reshape(), {value}, "flat", reshape_to({batch, 12 * 7 * 7}));
    return Projection(root_.part("fc"), 12 * 7 * 7, 10)(flat);
}

ValueIndex GoldenTraining::add_gpt() {
    const Dim batch = batch_of(golden_), vocabulary = *parse_integer(golden_.metadata.at("vocabulary"));
    const std::vector<std::int32_t> zeros(static_cast<std::size_t>(batch * gpt_length));
    x_ = tape_.input("x", Tensor::from<std::int32_t>(tape_.pool(), {{batch, "B"}, {gpt_length, "T"}}, zeros), Role::data);
    y_ = add_targets(batch * gpt_length);
    const Embedding tokens(root_.part("tok"), vocabulary, gpt_channels), positions(root_.part("pos"), gpt_length, gpt_channels);
    ValueIndex value = root_.apply(ops::add(), {tokens(x_), positions.table}, "embedded");
    AttentionShape attention{gpt_channels, gpt_heads, gpt_heads};
    attention.with_bias = true;
    for (int block = 1; block <= gpt_blocks; ++block)
        value = TransformerBlock(root_.part(fmt::format("block{}", block)), attention, 4 * gpt_channels,
                                 TransformerBlock::Style::gpt)(value);
    const LayerNorm norm(root_.part("final_norm"), gpt_channels);
    const Projection head(root_.part("head"), gpt_channels, vocabulary, false);
    return root_.apply(ops::reshape(), {head(norm(value))}, "rows", reshape_to({batch * gpt_length, vocabulary}));
}

void GoldenTraining::add_updates(const RunSettings& settings) {
    std::vector<ValueIndex> gradients;
    const auto collect = [&] {
        for (const ValueIndex parameter : parameters_) gradients.push_back(tape_.value(parameter).gradient);
    };
    if (settings.low) {
        const auto number = [&](const char* key) { return *parse_number(golden_.metadata.at(key)); };
        scaler_.emplace(tape_, LossScaler::Settings{number("scaler_init_scale"), number("scaler_growth_factor"),
                                                    number("scaler_backoff_factor"),
                                                    static_cast<std::int64_t>(number("scaler_growth_interval"))});
        tape_.backward(scaler_->scaled(tape_, loss_));
        collect();
        gradients = scaler_->unscaled(tape_, gradients);
        tape_.skip_where(scaler_->overflow());
    } else {
        tape_.backward(loss_);
        collect();
    }
    optimizer_.emplace(tape_, settings.optimizer, parameters_, gradients);
    tape_.skip_where(no_value);
    if (scaler_) scaler_->follow(tape_);
    for (const BatchNorm& norm : norms_) norm.carry();
}

void GoldenTraining::load_images(Dim number) {
    const Dim batch = batch_of(golden_), pixels = data_->width();
    std::vector<double> values;
    std::vector<std::int32_t> labels;
    for (Dim i = 0; i < batch; ++i) {
        const auto row = static_cast<Dim>(golden_.at("index").at(number, i));
        for (Dim j = 0; j < pixels; ++j) values.push_back(data_->x.data<std::uint8_t>()[row * pixels + j] / 255.0);
        labels.push_back(data_->y.data<std::int32_t>()[row]);
    }
    tape_.set(x_, tensor_of(tape_.value(x_).shape, values, root_.dtype()));
    tape_.set(y_, Tensor::from<std::int32_t>(tape_.pool(), tape_.value(y_).shape, labels));
}

void GoldenTraining::load_tokens(Dim number) {
    std::vector<std::int32_t> x, y;
    for (Dim i = 0; i < batch_of(golden_); ++i) {
        const auto start = static_cast<Dim>(golden_.at("start").at(number, i));
        const std::int32_t* const tokens = golden_.at("tokens").data<std::int32_t>() + start;
        x.insert(x.end(), tokens, tokens + gpt_length);
        y.insert(y.end(), tokens + 1, tokens + gpt_length + 1);
    }
    tape_.set(x_, Tensor::from<std::int32_t>(tape_.pool(), tape_.value(x_).shape, x));
    tape_.set(y_, Tensor::from<std::int32_t>(tape_.pool(), tape_.value(y_).shape, y));
}

void GoldenTraining::step(Dim number) {
    if (model_ == "gpt") load_tokens(number);
    else load_images(number);
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) tape_.execute(node);
}

} // namespace gradus::test
