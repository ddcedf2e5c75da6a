#include "lessons/experiments/asked.hpp"

#include "engine/core/error.hpp"
#include "engine/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

std::string Asked::argument(const std::string& name, const std::string& standard) const {
    const auto at = arguments.find(name);
    return at == arguments.end() ? standard : at->second;
}

std::int64_t Asked::integer(const std::string& name, const std::string& standard) const {
    const std::string text = argument(name, standard);
    const auto value = parse_integer(text);
    if (!value) throw ArgumentError(fmt::format("{}: {} must be a whole number, not '{}'", question, name, text));
    return *value;
}

double Asked::number(const std::string& name, const std::string& standard) const {
    const std::string text = argument(name, standard);
    const auto value = parse_number(text);
    if (!value) throw ArgumentError(fmt::format("{}: {} must be a number, not '{}'", question, name, text));
    return *value;
}

double Asked::parameter(const std::string& name) const { return parse_number(setup.parameters.at(name)).value_or(0); }

std::vector<QuestionInfo> questions_of(const std::vector<AnswerEntry>& entries) {
    std::vector<QuestionInfo> out;
    for (const AnswerEntry& entry : entries) out.push_back(entry.info);
    return out;
}

Answer answer_from(const std::vector<AnswerEntry>& entries, const Experiment& experiment, std::string_view question,
                   const Arguments& arguments, const Setup& setup, const Run* run, const std::vector<std::string>& kept) {
    for (const AnswerEntry& entry : entries) {
        if (entry.info.name != question) continue;
        Asked asked{experiment, question, arguments, setup, run};
        Parameters given = setup.parameters;
        for (const auto& [name, value] : arguments)
            if (given.contains(name) && std::find(kept.begin(), kept.end(), name) == kept.end()) given[name] = value;
        asked.setup.parameters = experiment.complete(given);
        return entry.answer(asked);
    }
    throw ArgumentError(fmt::format("{} has no question '{}'", experiment.id(), question));
}

} // namespace gradus
