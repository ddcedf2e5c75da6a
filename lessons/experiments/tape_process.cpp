#include "lessons/experiments/tape_process.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {
/// Settings of a checkpoint that say when a value was last edited.
const std::string edited_prefix = "edited ";
}

Tensor tensor_of_numbers(BufferPool& pool, const Shape& shape, DType dtype, const std::vector<double>& values) {
    if (dtype == DType::f64) return Tensor::from<double>(pool, shape, values);
    const std::vector<float> narrow(values.begin(), values.end());
    return Tensor::from<float>(pool, shape, narrow);
}

TapeProcess::TapeProcess(const Setup& setup)
    : device_(std::make_shared<Device>(setup.device)), tape_(device_, std::make_shared<BufferPool>()) {
    tape_.heed(setup.stop);
}

void TapeProcess::ready(std::vector<ValueIndex> state, ValueIndex result, std::vector<ValueIndex> fed) {
    state_ = std::move(state);
    result_ = result;
    trace_.emplace(tape_, state_, std::move(fed));
}

ValueIndex TapeProcess::apply_op(const Op& op, const std::string& module, std::vector<ValueIndex> inputs,
                                 const std::string& name, Attributes attributes) {
    return tape_.node(tape_.apply(op, Phase::forward, module, std::move(inputs), {name}, attributes)).outputs[0];
}

ValueIndex TapeProcess::add_input(const std::string& name, const Shape& shape, const std::vector<double>& values, Role role,
                                  bool requires_grad, DType dtype) {
    return tape_.input(name, tensor_of_numbers(tape_.pool(), shape, dtype, values), role, requires_grad);
}

void TapeProcess::describe(Manifest& manifest) const {
    manifest.device = device_->name();
    manifest.isa = device_->isa();
    manifest.threads = device_->threads();
    manifest.processor = device_->description();
}

void TapeProcess::iterate(RunWriter& writer, StepIndex iteration, bool observe) {
    if (observe) tape_.prepare_buffers(); // here, so that no clock of a step contains it
    feed(iteration);
    before_step();
    writer.begin_iteration(iteration, observe);
    if (observe) trace_->step_observed(writer, iteration);
    else trace_->step(writer);
    push(writer, iteration);
    writer.end_iteration();
}

void TapeProcess::replay(StepIndex iteration) {
    feed(iteration);
    before_step();
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape_.nodes().size()); ++node) tape_.execute(node);
}

std::shared_ptr<const Checkpoint> TapeProcess::checkpoint(StepIndex next) const {
    auto out = std::make_shared<Checkpoint>();
    out->iteration = next;
    for (const ValueIndex index : state_) {
        out->tensors.emplace_back(tape_.value(index).name, tape_.tensor(index));
        out->bytes += out->tensors.back().second.bytes();
    }
    out->settings = settings();
    for (const auto& [value, iteration] : trace_->edited())
        out->settings.emplace_back(edited_prefix + tape_.value(value).name, static_cast<double>(iteration));
    return out;
}

void TapeProcess::restore(const Checkpoint& checkpoint) {
    for (const auto& [name, tensor] : checkpoint.tensors) {
        const ValueIndex index = tape_.find(name);
        if (index == no_value) throw FileError(fmt::format("the checkpoint holds '{}', which this experiment lacks", name));
        tape_.set(index, tensor);
    }
    trace_->forget_edits();
    for (const auto& [name, value] : checkpoint.settings) {
        if (name.starts_with(edited_prefix))
            trace_->mark_edited(tape_.find(name.substr(edited_prefix.size())), static_cast<StepIndex>(value));
        else set_setting(name, value, checkpoint.iteration);
    }
}

void TapeProcess::apply(const Edit& edit, StepIndex iteration) {
    switch (edit.kind) {
    case Edit::Kind::element:
        set_element(edit.target, edit.index, edit.values.at(0));
        trace_->mark_edited(tape_.find(edit.target), iteration);
        return;
    case Edit::Kind::setting:
        if (edit.values.size() != 1 || !std::isfinite(edit.values[0]))
            throw ArgumentError(fmt::format("{} must be a number", edit.target));
        set_setting(edit.target, edit.values[0], iteration);
        return;
    case Edit::Kind::point: throw ArgumentError("this experiment has no points to move");
    case Edit::Kind::breakpoint: return; // the session's
    }
}

void TapeProcess::set_setting(const std::string& name, double, StepIndex) {
    std::vector<std::string> names;
    for (const auto& [setting, value] : settings()) names.push_back(setting);
    for (const ValueIndex value : state_)
        if (is_floating(tape_.value(value).dtype)) names.push_back(tape_.value(value).name + "[…]");
    throw ArgumentError(fmt::format("'{}' cannot be edited in a run; what can be is {}", name, joined(names)));
}

void TapeProcess::set_element(const std::string& name, const std::vector<Dim>& index, double number) {
    const ValueIndex value = tape_.find(name);
    if (value == no_value || std::find(state_.begin(), state_.end(), value) == state_.end()) {
        std::vector<std::string> names;
        for (const ValueIndex other : state_) names.push_back(tape_.value(other).name);
        throw ArgumentError(fmt::format("there is no parameter '{}'; there are {}", name, joined(names)));
    }
    if (!is_floating(tape_.value(value).dtype)) throw ArgumentError(fmt::format("'{}' counts steps and cannot be edited", name));
    const Shape& shape = tape_.value(value).shape;
    const Dim flat = place_of(shape, index, name);
    const Tensor before = tape_.tensor(value); // snapshots keep the old contents
    std::vector<double> values;
    for (Dim i = 0; i < before.elements(); ++i) values.push_back(i == flat ? number : before.at(i));
    tape_.set(value, tensor_of_numbers(tape_.pool(), shape, before.dtype(), values));
}

double TapeProcess::number(const std::string& name, Dim flat) const {
    const ValueIndex value = tape_.find(name);
    if (value == no_value) throw ArgumentError(fmt::format("there is no value '{}'", name));
    return tape_.tensor(value).at(flat);
}

bool TapeProcess::not_finite() const { return !std::isfinite(tape_.scalar(result_)); }

double TapeProcess::gradient_norm() const {
    double sum = 0;
    for (const ValueIndex index : state_) {
        const ValueIndex gradient = tape_.value(index).gradient;
        if (gradient == no_value) continue;
        const Tensor tensor = tape_.tensor(gradient);
        for (Dim i = 0; i < tensor.elements(); ++i) sum += tensor.at(i) * tensor.at(i);
    }
    return std::sqrt(sum);
}

} // namespace gradus
