#pragma once

#include "engine/trace/run.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// What a part of every iteration is and costs. A part is named by a phase/module/op, and the events whose paths begin so
/// are its own, but for those that another part's longer name begins: "forward" beside "forward/loss" is forward without
/// the loss.
struct StepPart {
    std::int32_t ordinal = -1;     ///< of its first event; -1: an iteration of this Run has none
    double flops = 0;              ///< of its ops, counted
    std::optional<double> seconds; ///< measured; none where the iteration's events are not kept
    bool again = false;            ///< the time is that of a re-computation
};

/// The number of the name that an event with this path belongs to; -1: none. An empty name holds no event.
int part_of(std::string_view path, std::span<const std::string> names);

/// The parts of an iteration, one for each name. The time is that of the Run itself, or of the ancestor whose iteration it is;
/// where that kept no events, of `full`, if there is one. Of an event's time each part has what no inner event of another
/// part took, so that the parts' times add up.
std::vector<StepPart> step_parts(const Run& run, const Run* full, StepIndex iteration, std::span<const std::string> names);

} // namespace gradus
