#include "lessons/experiments/train_cnn/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "engine/data/dataset.hpp"
#include "lessons/experiments/train_cnn/network.hpp"

#include <fmt/format.h>

namespace gradus::cnn {

namespace {

Optimizer::Kind kind_of(const std::string& name) {
    if (name == "sgd") return Optimizer::Kind::sgd;
    if (name == "momentum") return Optimizer::Kind::momentum;
    return name == "adam" ? Optimizer::Kind::adam : Optimizer::Kind::adamw;
}

} // namespace

Settings read_settings(const Parameters& parameters, StepIndex steps) {
    const auto number = [&](const char* name) { return parse_number(parameters.at(name)).value_or(0); };
    const auto integer = [&](const char* name) { return parse_integer(parameters.at(name)).value_or(0); };
    Settings s;
    for (const std::string_view width : split(parameters.at("channels"), ','))
        s.channels.push_back(parse_integer(trimmed(width)).value_or(0));
    if (s.channels.size() > most_convolutions)
        throw ArgumentError(
            fmt::format("train_cnn: channels must be at most {} widths, after which an image of 28 × 28 is one pixel, "
                        "not {}",
                        most_convolutions, s.channels.size()));
    s.batch_norm = parameters.at("norm") == "batch";
    s.batch = integer("batch");
    s.optimizer.kind = kind_of(parameters.at("optimizer"));
    s.optimizer.lr = number("lr");
    s.optimizer.weight_decay = number("weight_decay");
    s.schedule.warmup_steps = integer("warmup");
    if (parameters.at("schedule") == "cosine") {
        s.schedule.kind = Schedule::Kind::cosine;
        s.schedule.total_steps = steps;
        if (steps <= s.schedule.warmup_steps) s.schedule.kind = Schedule::Kind::constant; // it ends within its warm-up
    }
    const std::string& precision = parameters.at("precision");
    if (precision == "fp64") s.dtype = DType::f64;
    if (precision == "fp16") s.low = DType::f16;
    if (precision == "bf16") s.low = DType::bf16;
    s.scaler.scale = number("loss_scale");
    s.scaler.interval = integer("growth_interval");
    return s;
}

Dim parameter_count(const Settings& settings) {
    Dim count = 0, inputs = 1, side = 28;
    for (const Dim outputs : settings.channels) {
        count += 9 * inputs * outputs + (settings.batch_norm ? 2 : 1) * outputs;
        inputs = outputs;
        side /= 2;
    }
    return count + inputs * side * side * 10 + 10;
}

} // namespace gradus::cnn
