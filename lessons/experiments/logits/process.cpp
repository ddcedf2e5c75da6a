#include "lessons/experiments/logits/process.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/ops/ops.hpp"

#include <fmt/format.h>

namespace gradus::logit {

namespace {
double parameter(const Setup& setup, const std::string& name) { return parse_number(setup.parameters.at(name)).value_or(0); }
}

std::vector<double> starting_logits(const Setup& setup) {
    std::vector<double> out;
    for (int i = 0; i < static_cast<int>(parameter(setup, "classes")); ++i)
        out.push_back(parameter(setup, "scale") * parameter(setup, fmt::format("z{}", i)) + parameter(setup, "shift"));
    return out;
}

LogitsProcess::LogitsProcess(const Setup& setup)
    : TapeProcess(setup), classes_(static_cast<Dim>(parameter(setup, "classes"))),
      label_(static_cast<Dim>(parameter(setup, "label"))) {
    if (label_ >= classes_)
        throw ArgumentError(fmt::format("logits: with {} classes the label must be 0 to {}, not {}", classes_, classes_ - 1, label_));
    const Shape row{{1, "B"}, {classes_, "class"}};
    const ValueIndex z = add_input("z", row, starting_logits(setup), Role::parameter, true);
    const std::vector<std::int32_t> label{static_cast<std::int32_t>(label_)};
    const ValueIndex class_index = tape_.input("label", Tensor::from<std::int32_t>(tape_.pool(), {{1, "B"}}, label), Role::data);
    std::vector<double> one_hot(static_cast<std::size_t>(classes_), 0.0);
    one_hot[static_cast<std::size_t>(label_)] = 1;
    add_input("y", row, one_hot, Role::data); // what p is compared with, to be looked at
    const ValueIndex p = apply_op(ops::softmax(), "softmax", {z}, "p");
    loss_ = apply_op(ops::cross_entropy(), "loss", {p, class_index}, "loss");
    tape_.backward(loss_);
    Optimizer::Settings settings;
    settings.lr = parameter(setup, "lr");
    optimizer_.emplace(tape_, settings, std::vector{z}, std::vector{tape_.value(z).gradient});
    ready({z}, loss_);
}

std::vector<SeriesInfo> LogitsProcess::series() const {
    std::vector<SeriesInfo> out{{"loss", "", Provenance::computed, true}, {"arrow", "", Provenance::computed, true}};
    for (Dim i = 0; i < classes_; ++i) out.push_back({fmt::format("p{}", i), "", Provenance::computed, true});
    return out;
}

void LogitsProcess::push(RunWriter& writer, StepIndex) {
    std::size_t at = 0;
    writer.push(at++, loss());
    writer.push(at++, arrow());
    for (Dim i = 0; i < classes_; ++i) writer.push(at++, probability(i));
}

void LogitsProcess::set_setting(const std::string& name, double value, StepIndex iteration) {
    if (name != "lr") return TapeProcess::set_setting(name, value, iteration);
    if (!(value >= 0)) throw ArgumentError("lr must be a number, 0 or more");
    optimizer_->set_lr(tape_, value);
}

std::vector<std::pair<std::string, double>> LogitsProcess::settings() const {
    return {{"lr", optimizer_->settings().lr}};
}

} // namespace gradus::logit
