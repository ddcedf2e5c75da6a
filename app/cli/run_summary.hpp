#pragma once

#include "lessons/runtime/card.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gradus::cli {

/// One number that a Run ends with.
struct Scalar {
    std::string name;
    double value = 0;
    std::string unit;
    Provenance provenance = Provenance::computed;
    StepIndex iteration = -1; ///< it is of; -1: of the whole Run
};

/// The last value of every series, the median of the step times, and how many steps there were.
std::vector<Scalar> run_scalars(const Run& run);
/// Answers to the experiment's questions that need no arguments; none for a fork or an unfinished Run.
std::vector<std::pair<std::string, Answer>> run_answers(const Session& session, const Run& run);
/// `asked`: the card whose checks are about to be asked; what would answer them is left out.
void print_run(const Session& session, const Run& run, const std::string& language, const Card* asked = nullptr);

} // namespace gradus::cli
