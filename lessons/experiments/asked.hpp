#pragma once

#include "lessons/experiments/experiment.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// A question with its arguments at hand. Arguments that are parameters of the experiment are already applied.
struct Asked {
    const Experiment& experiment;
    std::string_view question;
    const Arguments& arguments;
    Setup setup;
    const Run* run;

    std::string argument(const std::string& name, const std::string& standard) const;
    /// Throw ArgumentError where the argument is no such number.
    std::int64_t integer(const std::string& name, const std::string& standard) const;
    double number(const std::string& name, const std::string& standard) const;
    /// A parameter, already checked.
    double parameter(const std::string& name) const;
    const std::string& word(const std::string& name) const { return setup.parameters.at(name); }
};

/// A question and what answers it.
struct AnswerEntry {
    QuestionInfo info;
    Answer (*answer)(const Asked&);
};
std::vector<QuestionInfo> questions_of(const std::vector<AnswerEntry>& entries);
/// See Experiment::answer. `kept` names arguments that are not parameters although they are called like one.
Answer answer_from(const std::vector<AnswerEntry>& entries, const Experiment& experiment, std::string_view question,
                   const Arguments& arguments, const Setup& setup, const Run* run,
                   const std::vector<std::string>& kept = {});

inline Answer counted(double value, std::string unit = {}) { return {value, std::move(unit), Provenance::counted}; }
inline Answer computed(double value, std::string unit = {}) { return {value, std::move(unit), Provenance::computed}; }
inline Answer computed_word(std::string word) { return {std::move(word), "", Provenance::computed}; }

} // namespace gradus
