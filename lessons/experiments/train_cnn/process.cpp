#include "lessons/experiments/train_cnn/process.hpp"

#include "engine/core/clock.hpp"
#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "engine/ops/ops.hpp"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gradus::cnn {

namespace {

/// The 10 000 test images cost as much as some thirty steps.
constexpr StepIndex evaluate_every = 500;

template <class T> double sum_of_squares(const Tensor& tensor) {
    double sum = 0;
    for (Dim i = 0; i < tensor.elements(); ++i) {
        const auto value = static_cast<double>(tensor.data<T>()[i]);
        sum += value * value;
    }
    return sum;
}

} // namespace

TrainCnn::TrainCnn(const Setup& setup)
    : TapeProcess(setup), settings_(read_settings(setup.parameters, setup.steps)), steps_(setup.steps),
      data_(setup.data->get("fashion-mnist", setup.seed)), sampler_(data_->size(), settings_.batch, setup.seed),
      net_(tape_, settings_, *data_, setup.seed, true, settings_.batch), base_lr_(settings_.optimizer.lr),
      ns_per_tick_(calibrated_clock().ns_per_tick) {
    add_updates();
    std::vector<ValueIndex> state = net_.parameters;
    state.insert(state.end(), net_.statistics.begin(), net_.statistics.end());
    state.insert(state.end(), optimizer_->state().begin(), optimizer_->state().end());
    if (scaler_)
        for (const ValueIndex value : scaler_->state()) state.push_back(value);
    ready(std::move(state), net_.loss, {net_.index});
}

void TrainCnn::add_updates() {
    if (settings_.low) scaler_.emplace(tape_, settings_.scaler);
    tape_.backward(scaler_ ? scaler_->scaled(tape_, net_.loss) : net_.loss);
    for (const ValueIndex parameter : net_.parameters) gradients_.push_back(tape_.value(parameter).gradient);
    if (scaler_) {
        gradients_ = scaler_->unscaled(tape_, gradients_);
        tape_.skip_where(scaler_->overflow());
    }
    optimizer_.emplace(tape_, settings_.optimizer, net_.parameters, gradients_);
    tape_.skip_where(no_value);
    if (scaler_) scaler_->follow(tape_);
    for (const BatchNorm& norm : net_.norms) norm.carry();
}

std::vector<SeriesInfo> TrainCnn::series() const {
    std::vector<SeriesInfo> list{{"loss", "", Provenance::computed, true},
                                 {"accuracy", "", Provenance::computed, true},
                                 {"step_seconds", "s", Provenance::measured, true},
                                 {"learning_rate", "", Provenance::computed, true},
                                 {"gradient_norm", "", Provenance::computed, false},
                                 {"test_accuracy", "", Provenance::computed, false}};
    if (scaler_) {
        list.push_back({"loss_scale", "", Provenance::computed, true});
        list.push_back({"skipped", "", Provenance::computed, true});
    }
    return list;
}

void TrainCnn::describe(Manifest& manifest) const {
    TapeProcess::describe(manifest);
    manifest.dataset = data_->name;
    manifest.dataset_hash = hash_hex(data_->hash);
}

void TrainCnn::begin(RunWriter& writer, bool setup) {
    TapeProcess::begin(writer, setup);
    EventSite site;
    site.level = Level::phase;
    site.phase = Phase::evaluate;
    site.name = site.path = "evaluate";
    site.provenance = Provenance::measured;
    evaluate_site_ = writer.add_site(std::move(site));
}

void TrainCnn::feed(StepIndex iteration) {
    start_ = now_ticks();
    const auto rows = sampler_.batch(iteration);
    std::memcpy(tape_.writable(net_.index), rows.data(), rows.size_bytes());
    rate_ = base_lr_ * factor_at(settings_.schedule, iteration);
    optimizer_->set_lr(tape_, rate_);
}

void TrainCnn::before_step() {
    if (scaler_) scale_ = tape_.scalar(scaler_->scale());
}

void TrainCnn::push(RunWriter& writer, StepIndex iteration) {
    const Ticks end = now_ticks();
    writer.push(loss_series, loss());
    writer.push(accuracy, tape_.scalar(net_.accuracy));
    writer.push(step_seconds, static_cast<double>(end - start_) * ns_per_tick_ * 1e-9);
    writer.push(learning_rate, rate_);
    if (scaler_) {
        writer.push(loss_scale, scale_);
        writer.push(skipped_series, skipped() ? 1 : 0);
    }
    if (writer.observing()) writer.push(gradient_norm_series, gradient_norm());
    if ((iteration + 1) % evaluate_every != 0 && iteration + 1 != steps_) return;
    const auto open = writer.observing() ? writer.begin() : RunWriter::Open{};
    writer.push(test_accuracy_series, test_accuracy());
    if (writer.observing()) writer.end(open, evaluate_site_);
}

double TrainCnn::test_accuracy() {
    if (!tester_) tester_.emplace(settings_, data_, device_);
    return tester_->accuracy(tape_, net_);
}

double TrainCnn::gradient_norm() const {
    double sum = 0;
    for (const ValueIndex gradient : gradients_) {
        const Tensor tensor = tape_.tensor(gradient);
        sum += tensor.dtype() == DType::f32 ? sum_of_squares<float>(tensor) : sum_of_squares<double>(tensor);
    }
    return std::sqrt(sum);
}

void TrainCnn::set_setting(const std::string& name, double value, StepIndex iteration) {
    if (name != "lr") return TapeProcess::set_setting(name, value, iteration);
    if (!(value >= 0)) throw ArgumentError("lr must be a number, 0 or more");
    base_lr_ = value;
}

std::vector<std::pair<std::string, double>> TrainCnn::settings() const { return {{"lr", base_lr_}}; }

} // namespace gradus::cnn
