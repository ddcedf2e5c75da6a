#pragma once

#include "engine/trace/run.hpp"

#include <span>
#include <vector>

namespace gradus {

/// The events that every iteration of a Run has, as a tree. An event is named by its ordinal.
struct StepPlan {
    std::vector<std::int32_t> site;   ///< by ordinal: the number of its site in the Run; -1 where there is none
    std::vector<std::int32_t> parent; ///< by ordinal; -1 for the iteration itself
    std::vector<std::vector<std::int32_t>> inner; ///< by ordinal: the events directly inside it, as they begin
    std::int32_t iteration = -1;      ///< ordinal of the iteration's own event; -1 if the Run has no sites yet

    bool has(std::int32_t ordinal) const {
        return ordinal >= 0 && ordinal < static_cast<std::int32_t>(site.size()) &&
               site[static_cast<std::size_t>(ordinal)] >= 0;
    }
    const EventSite& site_of(const Run& run, std::int32_t ordinal) const {
        return run.sites()[static_cast<std::size_t>(site[static_cast<std::size_t>(ordinal)])];
    }
    const std::vector<std::int32_t>& phases() const {
        static const std::vector<std::int32_t> none;
        return iteration >= 0 ? inner[static_cast<std::size_t>(iteration)] : none;
    }
};

/// Reads the sites of a Run. What happens outside the iteration's own event (setup, evaluation) is left out, and so are launches that
/// `iteration` did not run, where it is one that was recorded.
StepPlan step_plan(const Run& run, StepIndex iteration = -1);

/// A part of an iteration, from 0 (its start) to 1 (its end).
struct Extent {
    double from = 0, until = 0;
    double middle() const { return (from + until) / 2; }
    double length() const { return until - from; }
};

/// Divides [0, 1] among the events of an iteration: an event's children fill it without gaps, in proportion to their
/// weights (by ordinal), or in equal parts where none has any. Weights that are missing, negative or not finite are 0.
std::vector<Extent> lay_out_step(const StepPlan& plan, std::span<const double> weight);

} // namespace gradus
