#include "lessons/experiments/training/process.hpp"

#include "engine/core/clock.hpp"
#include "engine/core/error.hpp"
#include "lessons/experiments/evaluation.hpp"

#include <cmath>

namespace gradus {

namespace {

template <class T> double sum_of_squares(const Tensor& tensor) {
    double sum = 0;
    for (Dim i = 0; i < tensor.elements(); ++i) {
        const auto value = static_cast<double>(tensor.data<T>()[i]);
        sum += value * value;
    }
    return sum;
}

} // namespace

TrainingProcess::TrainingProcess(const Setup& setup, TrainingSettings training, StepIndex evaluate_every)
    : TapeProcess(setup), setup_(setup), training_(std::move(training)), evaluate_every_(evaluate_every),
      ns_per_tick_(calibrated_clock().ns_per_tick) {}

void TrainingProcess::ready(const Forward& forward) {
    loss_ = forward.loss;
    accuracy_ = forward.accuracy;
    update_.emplace(tape_, training_, loss_, forward.parameters);
    forward.further_updates();
    const auto joined = [](std::vector<ValueIndex> first, const std::vector<ValueIndex>& second) {
        first.insert(first.end(), second.begin(), second.end());
        return first;
    };
    TapeProcess::ready(joined(joined(forward.parameters, forward.state), update_->state()), loss_, joined(forward.fed, update_->fed()));
}

std::vector<SeriesInfo> TrainingProcess::series() const {
    std::vector<SeriesInfo> list{{"loss", "", Provenance::computed, true},
                                 {"accuracy", "", Provenance::computed, true},
                                 {"step_seconds", "s", Provenance::measured, true},
                                 {"learning_rate", "", Provenance::computed, true},
                                 {"gradient_norm", "", Provenance::computed, false},
                                 {"test_accuracy", "", Provenance::computed, false}};
    if (training_.low) {
        list.push_back({"loss_scale", "", Provenance::computed, true});
        list.push_back({"skipped", "", Provenance::computed, true});
    }
    for (SeriesInfo& info : more_series()) list.push_back(std::move(info));
    return list;
}

void TrainingProcess::begin(RunWriter& writer, bool setup) {
    TapeProcess::begin(writer, setup);
    evaluate_site_ = writer.add_site(evaluation_site());
}

void TrainingProcess::feed(StepIndex iteration) {
    start_ = now_ticks();
    load(iteration);
    update_->begin(tape_, iteration);
    scale_ = update_->scale(tape_);
}

void TrainingProcess::push(RunWriter& writer, StepIndex iteration) {
    const Ticks end = now_ticks();
    // Before anything is pushed: where that is interrupted, the iteration has not been.
    const bool evaluates = (iteration + 1) % evaluate_every_ == 0 || iteration + 1 == setup_.steps;
    double told = 0;
    if (evaluates) {
        const auto open = writer.observing() ? writer.begin() : RunWriter::Open{};
        told = test_accuracy();
        if (writer.observing()) writer.end(open, evaluate_site_);
    }
    writer.push(loss_series, loss());
    writer.push(accuracy_series, tape_.scalar(accuracy_));
    writer.push(step_seconds, static_cast<double>(end - start_) * ns_per_tick_ * 1e-9);
    writer.push(learning_rate, update_->rate());
    if (writer.observing()) writer.push(gradient_norm_series, gradient_norm());
    if (evaluates) writer.push(test_accuracy_series, told);
    if (update_->has_scale()) {
        writer.push(loss_scale, scale_);
        writer.push(skipped_series, skipped() ? 1 : 0);
    }
    push_more(writer, update_->has_scale() ? skipped_series + 1 : loss_scale);
}

double TrainingProcess::gradient_norm() const {
    double sum = 0;
    for (const ValueIndex gradient : update_->gradients()) {
        const Tensor tensor = tape_.tensor(gradient);
        sum += tensor.dtype() == DType::f32 ? sum_of_squares<float>(tensor) : sum_of_squares<double>(tensor);
    }
    return std::sqrt(sum);
}

void TrainingProcess::set_setting(const std::string& name, double value, StepIndex iteration) {
    if (name != "lr") return TapeProcess::set_setting(name, value, iteration);
    if (!(value >= 0)) throw ArgumentError("lr must be a number, 0 or more");
    update_->set_lr(value);
}

std::vector<std::pair<std::string, double>> TrainingProcess::settings() const { return {{"lr", update_->lr()}}; }

} // namespace gradus
