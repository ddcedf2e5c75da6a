#include "engine/optim/loss_scaler.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

namespace {

const std::string module_name = "loss_scale";

ValueIndex scalar(Tape& tape, std::string name, DType dtype, double number) {
    return tape.input(std::move(name), Tensor::from_numbers(tape.pool(), Shape{}, dtype, {&number, 1}), Role::optimizer_state);
}

} // namespace

LossScaler::LossScaler(Tape& tape, Settings settings, DType dtype) : settings_(settings) {
    if (!(settings.scale > 0)) throw ArgumentError(fmt::format("a loss scale is above 0, not {}", settings.scale));
    scale_ = scalar(tape, "loss_scale", dtype, settings.scale);
    steps_ = scalar(tape, "loss_scale_steps", DType::i32, 0);
}

ValueIndex LossScaler::scaled(Tape& tape, ValueIndex loss) const {
    return tape.node(tape.apply(ops::multiply(), Phase::forward, "loss", {loss, scale_}, {tape.value(loss).name + " scaled"}))
        .outputs[0];
}

std::vector<ValueIndex> LossScaler::unscaled(Tape& tape, const std::vector<ValueIndex>& gradients) {
    const auto any = [&](std::vector<ValueIndex> values, std::string name) {
        return tape.node(tape.apply(ops::has_non_finite(), Phase::update, module_name, std::move(values), {std::move(name)}))
            .outputs[0];
    };
    // at most eight at a time, and the answers of those together, until there is one
    std::vector<ValueIndex> values = gradients;
    for (int round = 0; overflow_ == no_value; ++round) {
        std::vector<ValueIndex> answers;
        for (std::size_t from = 0; from < values.size(); from += GRADUS_MAX_ARRAYS) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(from);
            const auto count = std::min<std::size_t>(GRADUS_MAX_ARRAYS, values.size() - from);
            const bool last = count == values.size();
            answers.push_back(any({first, first + static_cast<std::ptrdiff_t>(count)},
                                  last ? std::string("overflow") : fmt::format("overflow {}.{}", round + 1, answers.size() + 1)));
            if (last) overflow_ = answers[0];
        }
        if (answers.empty()) throw ArgumentError("a loss scaler needs gradients to look at");
        values = std::move(answers);
    }
    std::vector<ValueIndex> out;
    for (const ValueIndex gradient : gradients) {
        const Value& value = tape.value(gradient);
        const std::string module = value.producer < 0 ? module_name : tape.node(value.producer).module;
        const std::string name = value.name + " unscaled";
        out.push_back(tape.node(tape.apply(ops::unscale(), Phase::update, module, {gradient, scale_}, {name})).outputs[0]);
    }
    return out;
}

void LossScaler::follow(Tape& tape) const {
    tape.apply_onto(ops::update_loss_scale(), Phase::update, module_name, {scale_, steps_, overflow_}, {scale_, steps_},
                    {settings_.growth, settings_.backoff, static_cast<double>(settings_.interval)});
}

} // namespace gradus
