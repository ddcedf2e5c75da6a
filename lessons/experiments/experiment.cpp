#include "lessons/experiments/experiment.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"
#include "lessons/experiments/climb_ladder/climb_ladder.hpp"
#include "lessons/experiments/compose_lines/compose_lines.hpp"
#include "lessons/experiments/descend/descend.hpp"
#include "lessons/experiments/linear_stack/linear_stack.hpp"
#include "lessons/experiments/logits/logits.hpp"
#include "lessons/experiments/run_kernel/run_kernel.hpp"
#include "lessons/experiments/train_cnn/train_cnn.hpp"
#include "lessons/experiments/train_gpt/train_gpt.hpp"
#include "lessons/experiments/train_mlp/train_mlp.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gradus {

std::string Answer::text() const {
    if (is_number()) return number_text(number());
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    return joined(std::get<std::vector<std::string>>(value));
}

namespace {

void check_value(const std::string& experiment, const ParameterInfo& info, const std::string& value) {
    const auto refuse = [&](const std::string& wanted) {
        throw ArgumentError(fmt::format("{}: {} must be {}, not '{}'", experiment, info.name, wanted, shortened(value)));
    };
    switch (info.type) {
    case ParameterInfo::Type::choice:
        if (std::find(info.choices.begin(), info.choices.end(), value) == info.choices.end())
            refuse("one of " + joined(info.choices));
        break;
    case ParameterInfo::Type::integer: {
        const auto number = parse_integer(value);
        if (!number || static_cast<double>(*number) < info.least || static_cast<double>(*number) > info.most)
            refuse(fmt::format("a whole number from {:.0f} to {:.0f}", info.least, info.most));
        break;
    }
    case ParameterInfo::Type::number: {
        const auto number = parse_number(value);
        if (!number || !(*number >= info.least && *number <= info.most))
            refuse(fmt::format("a number from {} to {}", number_text(info.least), number_text(info.most)));
        break;
    }
    case ParameterInfo::Type::widths: {
        const auto parts = split(value, ',');
        bool good = parts.size() >= 2 && parts.size() <= 64;
        for (const std::string_view part : parts) {
            const auto width = parse_integer(trimmed(part));
            good &= width && *width >= 1 && *width <= 65'536;
        }
        if (!good) refuse("2 to 64 widths from 1 to 65536 with commas between, such as 784,256,10");
        break;
    }
    case ParameterInfo::Type::list: {
        const auto parts = split(value, ',');
        bool good = !parts.empty() && parts.size() <= 64;
        for (const std::string_view part : parts) {
            const auto number = parse_integer(trimmed(part));
            good &= number && static_cast<double>(*number) >= info.least && static_cast<double>(*number) <= info.most;
        }
        if (!good) refuse(fmt::format("whole numbers from {:.0f} to {:.0f} with commas between, such as 3,5,9", info.least, info.most));
        break;
    }
    case ParameterInfo::Type::words: // what they mean the process knows
        if (value.empty() || value.size() > 200 || value.find('\n') != std::string::npos) refuse("a word or two");
        break;
    case ParameterInfo::Type::text:
        if (value.empty() || value.find('\0') != std::string::npos) refuse("a text");
        break;
    }
}

} // namespace

double Experiment::most_beside(const ParameterInfo& info, const Parameters&) const { return info.most; }

Parameters Experiment::with(const Parameters& given, const std::string& name, const std::string& value) const {
    Parameters out = complete(given);
    out[name] = value;
    return complete(out);
}

Parameters Experiment::complete(const Parameters& given) const {
    Parameters out;
    for (const ParameterInfo& info : parameters()) out[info.name] = info.standard;
    for (const auto& [name, value] : given) {
        const auto info = std::find_if(parameters().begin(), parameters().end(),
                                       [&](const ParameterInfo& candidate) { return candidate.name == name; });
        if (info == parameters().end()) {
            std::vector<std::string> names;
            for (const ParameterInfo& candidate : parameters()) names.push_back(candidate.name);
            throw ArgumentError(fmt::format("{} has no parameter '{}'; it has {}", id(), name, joined(names)));
        }
        check_value(id(), *info, value);
        out[name] = with_hyphens(value);
    }
    return out;
}

void Experiment::check_edit(const Edit& edit) const {
    if (edit.kind != Edit::Kind::setting || edit.values.size() != 1) return; // the process knows what else there is
    for (const ParameterInfo& info : parameters())
        if (info.name == edit.target && info.type == ParameterInfo::Type::number)
            check_value(id(), info, number_text(edit.values[0]));
}

const std::vector<const Experiment*>& all_experiments() {
    static const std::vector<const Experiment*> list{&train_mlp(), &train_cnn(), &train_gpt(), &compose_lines(), &linear_stack(), &descend(), &logits(), &run_kernel_experiment(), &climb_ladder_experiment()};
    return list;
}

const Experiment& find_experiment(std::string_view id) {
    std::vector<std::string> names;
    for (const Experiment* experiment : all_experiments()) {
        if (experiment->id() == id) return *experiment;
        names.push_back(experiment->id());
    }
    throw ArgumentError(fmt::format("there is no experiment '{}'; there is {}", id, joined(names)));
}

} // namespace gradus
