#include "lessons/experiments/training/update.hpp"

#include "engine/ops/ops.hpp"
#include "engine/optim/clip.hpp"

#include <cstring>

namespace gradus {

namespace {

ValueIndex scalar(Tape& tape, const char* name, DType dtype, double number) {
    return tape.input(name, Tensor::from_numbers(tape.pool(), Shape{}, dtype, {&number, 1}), Role::data);
}

} // namespace

TrainingUpdate::TrainingUpdate(Tape& tape, const TrainingSettings& settings, ValueIndex loss, const std::vector<ValueIndex>& parameters)
    : settings_(settings), base_lr_(settings.optimizer.lr) {
    if (settings_.low) scaler_.emplace(tape, settings_.scaler);
    tape.backward(scaler_ ? scaler_->scaled(tape, loss) : loss);
    for (const ValueIndex parameter : parameters) gradients_.push_back(tape.value(parameter).gradient);
    if (settings_.accumulate > 1) {
        accumulation_.emplace(tape, gradients_, settings_.accumulate);
        gradients_ = accumulation_->gradients();
        waits_ = scalar(tape, "accumulating", DType::f32, 0);
    }
    ValueIndex stays = waits_; // what holds the update back
    if (scaler_) {
        gradients_ = scaler_->unscaled(tape, gradients_);
        stays = scaler_->overflow();
        if (waits_ != no_value) { // 1 where the gradients overflowed, else whether one waits
            const ValueIndex one = scalar(tape, "one", DType::f32, 1);
            const NodeIndex either =
                tape.apply(ops::where(), Phase::update, "loss_scale", {scaler_->overflow(), one, waits_}, {"update held back"});
            stays = tape.node(either).outputs[0];
        }
    }
    std::vector<ValueIndex> used = gradients_;
    if (settings_.clip > 0) used = clip_by_global_norm(tape, gradients_, settings_.clip).gradients;
    tape.skip_where(stays);
    optimizer_.emplace(tape, settings_.optimizer, parameters, used);
    tape.skip_where(waits_);
    if (scaler_) scaler_->follow(tape);
    tape.skip_where(no_value);
}

void TrainingUpdate::begin(Tape& tape, StepIndex iteration) {
    rate_ = base_lr_ * factor_at(settings_.schedule, iteration);
    optimizer_->set_lr(tape, rate_);
    if (!accumulation_) return;
    const auto number = static_cast<int>(iteration % settings_.accumulate);
    accumulation_->begin(tape, number);
    const float waits = number + 1 < settings_.accumulate ? 1 : 0;
    std::memcpy(tape.writable(waits_), &waits, sizeof waits);
}

std::vector<ValueIndex> TrainingUpdate::state() const {
    std::vector<ValueIndex> state = optimizer_->state();
    if (scaler_)
        for (const ValueIndex value : scaler_->state()) state.push_back(value);
    if (accumulation_) state.insert(state.end(), accumulation_->gradients().begin(), accumulation_->gradients().end());
    return state;
}

} // namespace gradus
