#pragma once

#include "lessons/runtime/session.hpp"

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
};

/// The last value of every series, the median of the step times, and how many steps there were.
std::vector<Scalar> run_scalars(const Run& run);
/// Answers to the experiment's questions that need no arguments; none for a fork or an unfinished Run.
std::vector<std::pair<std::string, Answer>> run_answers(const Session& session, const Run& run);
void print_run(const Session& session, const Run& run);

} // namespace gradus::cli
