#include "lessons/experiments/train_mlp/process.hpp"

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "lessons/experiments/evaluation.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <thread>

namespace gradus::mlp {

namespace {

/// Settings of a checkpoint that say when a value was last edited.
const std::string edited_prefix = "edited ";

/// Test sets cost as much as a hundred steps, so they are asked only now and then.
StepIndex evaluation_interval(const Dataset& dataset, StepIndex steps) {
    return dataset.images ? 500 : std::max<StepIndex>(1, steps / 20);
}

std::shared_ptr<const Dataset> dataset_of(const Setup& setup) {
    return setup.data->get(setup.parameters.at("data"), setup.seed);
}

Network make_network(const Setup& setup, std::shared_ptr<Device> device) {
    std::shared_ptr<const Dataset> dataset;
    Settings settings = settings_of(setup, dataset);
    return Network(std::move(device), std::make_shared<BufferPool>(), std::move(settings), std::move(dataset),
                   setup.seed);
}

} // namespace

DeviceOptions device_of(const Setup& setup) {
    DeviceOptions device = setup.device;
    device.rungs = rungs_of_product(setup.parameters.at("matmul_rung"));
    return device;
}

std::shared_ptr<Device> open_device(const Setup& setup, int threads) {
    DeviceOptions options = device_of(setup);
    if (threads > 0) options.threads = threads;
    auto device = std::make_shared<Device>(options);
    const std::string& source = setup.parameters.at("matmul_source");
    if (source == "own") return device;
    if (device->name() != "simt") throw ArgumentError(fmt::format("train_mlp: matmul_source is the text of a CUDA kernel, which --device simt runs, not {}", device->name()));
    device->replace_kernel(forward_rung(setup.parameters.at("matmul_rung")), source);
    return device;
}

Settings settings_of(const Setup& setup, std::shared_ptr<const Dataset>& dataset) {
    dataset = dataset_of(setup);
    return read_settings(setup.parameters, *dataset);
}

TrainProcess::TrainProcess(const Setup& setup)
    : setup_(setup), device_(open_device(setup)), source_(setup.parameters.at("matmul_source")), network_(make_network(setup, device_)), trace_(network_.tape(), network_.state(), network_.fed()), ns_per_tick_(calibrated_clock().ns_per_tick),
      evaluate_every_(evaluation_interval(network_.dataset(), setup.steps)) {
    network_.tape().heed(setup.stop);
    if (network_.settings().watched == 0) return;
    if (device_->name() != "simt") throw ArgumentError(fmt::format("train_mlp: watch records the lanes of a CUDA kernel, which --device simt runs, not {}", device_->name()));
    watched_.emplace(network_.tape(), network_.settings().watched, setup);
    trace_.watch(watched_->watched(source_));
}

std::vector<SeriesInfo> TrainProcess::series() const {
    std::vector<SeriesInfo> out{
        {"loss", "", Provenance::computed, true},
        {"accuracy", "", Provenance::computed, true},
        {"step_seconds", "s", Provenance::measured, true},
        {"gradient_norm", "", Provenance::computed, false},
        {"test_accuracy", "", Provenance::computed, false},
        {"seed_solved", "", Provenance::computed, false},
        {"seed_loss", "", Provenance::computed, false}};
    if (watched_) out.push_back({"product_error", "", Provenance::computed, false}); // of that product against fp64
    return out;
}

void TrainProcess::describe(Manifest& manifest) const {
    manifest.device = device_->name();
    manifest.isa = device_->isa();
    manifest.threads = device_->threads();
    manifest.processor = device_->description();
    manifest.dataset = network_.dataset().name;
    manifest.dataset_hash = hash_hex(network_.dataset().hash);
}

void TrainProcess::begin(RunWriter& writer, bool setup) {
    trace_.begin(writer, setup);
    evaluate_site_ = writer.add_site(evaluation_site());
    lanes_.begin(writer, network_.loader());
}

void TrainProcess::iterate(RunWriter& writer, StepIndex iteration, bool observe) {
    if (observe) network_.tape().prepare_buffers(); // before the clock: no part of a step
    const Ticks start = now_ticks();
    network_.load_batch(iteration);
    writer.begin_iteration(iteration, observe);
    if (observe) trace_.step_observed(writer, iteration);
    else trace_.step(writer);
    const Ticks end = now_ticks();
    // Before anything is pushed: where that is interrupted, the iteration has not been.
    const bool evaluates = (iteration + 1) % evaluate_every_ == 0 || iteration + 1 == setup_.steps;
    const double told = evaluates ? evaluate(writer) : 0;
    const double value = network_.loss();
    not_finite_ = !std::isfinite(value);
    writer.push(loss, value);
    writer.push(accuracy, network_.accuracy());
    writer.push(step_seconds, static_cast<double>(end - start) * ns_per_tick_ * 1e-9);
    if (observe) writer.push(gradient_norm_series, network_.gradient_norm());
    if (observe && watched_) writer.push(product_error, watched_->error());
    if (evaluates) writer.push(test_accuracy, told);
    lanes_.write(writer, network_.loader());
    writer.end_iteration();
}

std::shared_ptr<const KernelTrace> TrainProcess::watched_product() {
    if (!watched_) throw ArgumentError("train_mlp: no product is watched");
    network_.load_batch(0);
    network_.forward();
    std::vector<Tensor> inputs;
    const Tape& tape = network_.tape();
    for (const ValueIndex input : tape.node(watched_->node()).inputs) inputs.push_back(tape.tensor(input));
    return watched_->record(inputs);
}

void TrainProcess::replay(StepIndex iteration) {
    network_.load_batch(iteration);
    network_.step();
}

double TrainProcess::evaluate(RunWriter& writer) {
    const auto open = writer.observing() ? writer.begin() : RunWriter::Open{};
    const double told = Network::test_accuracy(network_, device_, setup_.stop, setup_.evaluating.get());
    if (writer.observing()) writer.end(open, evaluate_site_);
    return told;
}

void TrainProcess::finish(RunWriter& writer, const std::stop_token& stop) {
    if (network_.settings().seeds < 2) return;
    sweep(setup_, network_.settings().seeds, stop, [&](int seed, double final_loss, bool solved) {
        writer.push_at(seed_solved, seed, solved ? 1.0 : 0.0);
        writer.push_at(seed_loss, seed, final_loss);
    });
}

std::shared_ptr<const Checkpoint> TrainProcess::checkpoint(StepIndex next) const {
    auto out = std::make_shared<Checkpoint>();
    out->iteration = next;
    for (const ValueIndex index : network_.state()) {
        out->tensors.emplace_back(network_.tape().value(index).name, network_.tape().tensor(index));
        out->bytes += out->tensors.back().second.bytes();
    }
    if (const Optimizer* optimizer = const_cast<TrainProcess*>(this)->network_.optimizer()) {
        out->settings.emplace_back("lr", optimizer->settings().lr);
        out->settings.emplace_back("momentum", optimizer->settings().momentum);
    }
    for (const auto& [value, iteration] : trace_.edited())
        out->settings.emplace_back(edited_prefix + network_.tape().value(value).name, static_cast<double>(iteration));
    out->texts.emplace_back("matmul_source", source_);
    return out;
}

void TrainProcess::replace_kernel(const std::string& text) {
    if (text == source_) return;
    if (device_->name() != "simt") throw ArgumentError(fmt::format("matmul_source is the text of a CUDA kernel, which --device simt runs, not {}", device_->name()));
    try {
        device_->replace_kernel(forward_rung(setup_.parameters.at("matmul_rung")), text == "own" ? std::string() : text);
    } catch (const UnavailableError& error) {
        throw ArgumentError(fmt::format("matmul_source: {}", error.what()));
    }
    source_ = text;
    if (watched_) watched_->replace(source_);
}

void TrainProcess::restore(const Checkpoint& checkpoint) {
    for (const auto& [name, tensor] : checkpoint.tensors) {
        const ValueIndex index = network_.tape().find(name);
        if (index == no_value) throw FileError(fmt::format("the checkpoint holds '{}', which this net lacks", name));
        network_.tape().set(index, tensor);
    }
    for (const auto& [name, text] : checkpoint.texts)
        if (name == "matmul_source") replace_kernel(text);
    Optimizer* optimizer = network_.optimizer();
    trace_.forget_edits();
    for (const auto& [name, value] : checkpoint.settings) {
        if (name.starts_with(edited_prefix))
            trace_.mark_edited(network_.tape().find(name.substr(edited_prefix.size())), static_cast<StepIndex>(value));
        if (!optimizer) continue;
        if (name == "lr") optimizer->set_lr(network_.tape(), value);
        if (name == "momentum") optimizer->set_momentum(network_.tape(), value);
    }
}

void TrainProcess::apply(const Edit& edit, StepIndex iteration) {
    switch (edit.kind) {
    case Edit::Kind::element:
        network_.set_element(edit.target, edit.index, edit.values.at(0));
        trace_.mark_edited(network_.tape().find(edit.target), iteration);
        return;
    case Edit::Kind::point: {
        const std::string name = network_.tape().find("data") != no_value ? "data" : "x";
        if (network_.dataset().images) throw ArgumentError("points can be moved only in data sets of points");
        network_.set_element(name, {edit.index.at(0), 0}, edit.values.at(0));
        network_.set_element(name, {edit.index.at(0), 1}, edit.values.at(1));
        trace_.mark_edited(network_.tape().find(name), iteration);
        return;
    }
    case Edit::Kind::setting: {
        if (edit.target == "matmul_source") {
            if (edit.text_value.empty()) throw ArgumentError("matmul_source must be own or the text of a CUDA file");
            return replace_kernel(edit.text_value);
        }
        Optimizer* optimizer = network_.optimizer();
        const bool number = edit.values.size() == 1 && std::isfinite(edit.values[0]) && edit.values[0] >= 0;
        if (edit.target != "lr" && edit.target != "momentum")
            throw ArgumentError(fmt::format(fmt::runtime(setup_.parameters.contains(edit.target)
                                                             ? "'{}' is fixed when a run starts; lr and momentum can be edited"
                                                             : "there is no setting '{}'; lr and momentum can be edited"),
                                            edit.target));
        if (!number) throw ArgumentError(fmt::format("{} must be a number, 0 or more", edit.target));
        if (!optimizer)
            throw ArgumentError(fmt::format("{} has nothing to act on: {} is left out", edit.target,
                                            setup_.parameters.at("omit")));
        if (edit.target == "momentum" && optimizer->settings().kind != Optimizer::Kind::momentum)
            throw ArgumentError("momentum has nothing to act on: the optimizer is sgd");
        if (edit.target == "momentum" && edit.values[0] > 1) throw ArgumentError("momentum must be a number from 0 to 1");
        if (edit.target == "lr") optimizer->set_lr(network_.tape(), edit.values[0]);
        else optimizer->set_momentum(network_.tape(), edit.values[0]);
        return;
    }
    case Edit::Kind::breakpoint: return; // the session's
    }
}

double SweepResult::solved_share() const {
    if (solved.empty()) return 0;
    return static_cast<double>(std::count(solved.begin(), solved.end(), true)) / static_cast<double>(solved.size());
}

SweepResult sweep(const Setup& setup, int seeds, const std::stop_token& stop, const SeedTrained& trained) {
    SweepResult result;
    result.final_loss.assign(static_cast<std::size_t>(seeds), 0.0);
    std::vector<char> solved(static_cast<std::size_t>(seeds), 0);
    std::vector<std::atomic<bool>> ended(static_cast<std::size_t>(seeds));
    std::size_t told = 0;
    const auto tell = [&] {
        for (; told < ended.size() && ended[told].load(std::memory_order_acquire); ++told)
            if (trained) trained(static_cast<int>(told), result.final_loss[told], solved[told] != 0);
    };
    const int threads = open_device(setup)->threads();
    std::atomic<int> next{0};
    const auto work = [&](bool tells) {
        const auto device = open_device(setup, 1);
        for (int i; (i = next.fetch_add(1)) < seeds && !stop.stop_requested();) {
            Setup one = setup;
            one.seed = setup.seed + static_cast<std::uint64_t>(i);
            one.parameters["workers"] = "0"; // the nets themselves are spread over the threads
            Network network = make_network(one, device);
            for (StepIndex step = 0; step < setup.steps && !stop.stop_requested(); ++step) {
                network.load_batch(step);
                network.step();
            }
            if (stop.stop_requested()) return; // a net that was not trained to its end has no final loss
            const auto at = static_cast<std::size_t>(i);
            result.final_loss[at] = network.loss();
            solved[at] = Network::training_accuracy(network, device) == 1.0 ? 1 : 0;
            ended[at].store(true, std::memory_order_release);
            if (tells) tell();
        }
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < std::min(threads, seeds); ++i) helpers.emplace_back(work, false);
    work(true);
    helpers.clear(); // joins
    tell();
    result.solved.assign(solved.begin(), solved.end());
    return result;
}

} // namespace gradus::mlp
