#include "lessons/experiments/train_cnn/settings.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/train_cnn/network.hpp"

#include <fmt/format.h>

namespace gradus::cnn {

namespace {

Norm norm_of(const std::string& name) {
    return name == "batch" ? Norm::batch : name == "group" ? Norm::group : name == "layer" ? Norm::layer : Norm::none;
}

} // namespace

Settings read_settings(const Parameters& parameters, StepIndex steps) {
    Settings s;
    for (const std::string_view width : split(parameters.at("channels"), ','))
        s.channels.push_back(parse_integer(trimmed(width)).value_or(0));
    if (s.channels.size() > most_convolutions)
        throw ArgumentError(
            fmt::format("train_cnn: channels must be at most {} widths, after which an image of 28 × 28 is one pixel, "
                        "not {}",
                        most_convolutions, s.channels.size()));
    s.norm = norm_of(parameters.at("norm"));
    s.groups = s.norm == Norm::group ? parse_integer(parameters.at("groups")).value_or(0) : 1;
    for (const Dim width : s.channels)
        if (s.groups < 1 || width % s.groups != 0)
            throw ArgumentError(fmt::format("train_cnn: {} channels do not divide into {} groups", width, s.groups));
    s.average = parameters.at("pool") == "average";
    s.batch = parse_integer(parameters.at("batch")).value_or(0);
    s.workers = static_cast<int>(parse_integer(parameters.at("workers")).value_or(0));
    s.training = read_training("train_cnn", parameters, steps);
    return s;
}

Dim parameter_count(const Settings& settings) {
    Dim count = 0, inputs = 1, side = 28;
    for (const Dim outputs : settings.channels) {
        count += 9 * inputs * outputs + (settings.norm == Norm::none ? 1 : 2) * outputs;
        inputs = outputs;
        side /= 2;
    }
    return count + inputs * side * side * 10 + 10;
}

} // namespace gradus::cnn
