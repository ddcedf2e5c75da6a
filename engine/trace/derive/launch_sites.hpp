#pragma once

#include "engine/trace/run.hpp"

#include <vector>

namespace gradus {

/// The events of the launches that an iteration ran, in their order. Launches may differ from iteration to iteration (a ladder that is
/// climbed), and then share ordinals; where the iteration kept its events these say which are its own, else they are those that came first.
std::vector<const EventSite*> launches_of(const Run& run, StepIndex iteration);

/// By the number of each site: true where it is a launch that the iteration did not run.
std::vector<bool> foreign_launches(const Run& run, StepIndex iteration);

/// A rung of a ladder that an iteration ran.
struct ClimbedRung {
    StepIndex iteration = 0;
    std::string id; ///< "matmul/1_naive"
};
/// The rungs that a Run has climbed so far, each where it was first; one where it runs the same kernel again and again.
std::vector<ClimbedRung> climbed_rungs(const Run& run);

} // namespace gradus
