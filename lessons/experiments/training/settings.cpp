#include "lessons/experiments/training/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

using Kind = Optimizer::Kind;

struct NamedKind {
    const char* name;
    Kind kind;
};
constexpr NamedKind optimizers[] = {
    {"sgd", Kind::sgd},           {"momentum", Kind::momentum}, {"momentum_lr", Kind::momentum_lr}, {"nesterov", Kind::nesterov},
    {"rmsprop", Kind::rmsprop},   {"adam", Kind::adam},         {"adamw", Kind::adamw},
};

Kind kind_of(const std::string& name) {
    for (const NamedKind& known : optimizers)
        if (name == known.name) return known.kind;
    return Kind::sgd; // the parameter's choices have no other
}

std::vector<std::string> optimizer_names() {
    std::vector<std::string> names;
    for (const NamedKind& known : optimizers) names.emplace_back(known.name);
    return names;
}

} // namespace

std::vector<ParameterInfo> training_parameters(const TrainingDefaults& defaults) {
    using Type = ParameterInfo::Type;
    return {
        {"optimizer", Type::choice, "adamw", "", 0, 0, optimizer_names(),
         "the update rule; momentum moves by lr · v, momentum_lr by a v that holds lr already"},
        {"lr", Type::number, defaults.lr, "", 0, 1e30, {}, "the learning rate, which the schedule then changes"},
        {"momentum", Type::number, "0.9", "", 0, 1, {}, "what a velocity keeps, with momentum, momentum_lr and nesterov"},
        {"weight_decay", Type::number, defaults.weight_decay, "", 0, 1e30, {},
         "of the weights themselves with adamw, else added to the gradient"},
        {"schedule", Type::choice, "cosine", "", 0, 0, {"constant", "step", "cosine"},
         "how the learning rate goes after the warm-up, step by step, accumulated or not; cosine would be 0 at the step after the last"},
        {"warmup", Type::integer, defaults.warmup, "steps", 0, 1e9, {}, "steps in which the learning rate rises"},
        {"step_size", Type::integer, "500", "steps", 1, 1e9, {}, "steps between two drops, with schedule step"},
        {"gamma", Type::number, "0.1", "", 0, 1, {}, "the factor of a drop, with schedule step"},
        {"clip", Type::number, "0", "", 0, 1e30, {}, "the largest norm over all gradients together; 0: they are not clipped"},
        {"accumulate", Type::integer, "1", "steps", 1, 100'000, {},
         "steps whose gradients are averaged before the parameters move once"},
        {"checkpointing", Type::choice, "none", "", 0, 0, {"none", "blocks"},
         "blocks: what a block computed is let go of and computed again on the way back"},
        {"precision", Type::choice, "fp32", "", 0, 0, {"fp32", "fp64", "fp16", "bf16"},
         "fp16 and bf16 are mixed precision: fp32 weights, products in 16 bits, a scaled loss"},
        {"loss_scale", Type::number, "65536", "", 1e-30, 1e30, {}, "of the first step in mixed precision"},
        {"growth_interval", Type::integer, "2000", "steps", 1, 1e9, {}, "steps without an overflow before the scale doubles"},
    };
}

TrainingSettings read_training(const std::string& experiment, const Parameters& parameters, StepIndex steps) {
    const auto number = [&](const char* name) { return parse_number(parameters.at(name)).value_or(0); };
    const auto integer = [&](const char* name) { return parse_integer(parameters.at(name)).value_or(0); };
    TrainingSettings s;
    s.optimizer.kind = kind_of(parameters.at("optimizer"));
    s.optimizer.lr = number("lr");
    s.optimizer.momentum = number("momentum");
    s.optimizer.weight_decay = number("weight_decay");
    s.schedule.warmup_steps = integer("warmup");
    s.schedule.step_size = integer("step_size");
    s.schedule.gamma = number("gamma");
    if (parameters.at("schedule") == "step") s.schedule.kind = Schedule::Kind::step;
    if (parameters.at("schedule") == "cosine" && steps > s.schedule.warmup_steps) { // else it ends within its warm-up
        s.schedule.kind = Schedule::Kind::cosine;
        s.schedule.total_steps = steps;
    }
    s.clip = number("clip");
    s.accumulate = static_cast<int>(integer("accumulate"));
    s.checkpointing = parameters.at("checkpointing") == "blocks";
    const std::string& precision = parameters.at("precision");
    if (precision == "fp64") s.dtype = DType::f64;
    if (precision == "fp16") s.low = DType::f16;
    if (precision == "bf16") s.low = DType::bf16;
    s.scaler.scale = number("loss_scale");
    s.scaler.interval = integer("growth_interval");
    if (steps > 0 && s.accumulate > steps)
        throw ArgumentError(fmt::format("{}: accumulate must be at most {}, the number of steps, or nothing is ever trained, not {}",
                                        experiment, steps, s.accumulate));
    return s;
}

} // namespace gradus
