#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <vector>

namespace gradus {

/// One event of an iteration in time. Seconds since the iteration began, measured.
struct TimelineBar {
    std::int32_t ordinal = -1;
    std::int32_t site = -1;
    Phase phase = Phase::forward;
    double start = 0, end = 0;
    double length() const { return end - start; }
};

/// The events of one level on one lane, as they began.
struct TimelineLane {
    std::int32_t lane = 0;
    Level level = Level::op;
    std::vector<TimelineBar> bars;
};

/// What one iteration spent its time on.
struct TimelineModel {
    std::shared_ptr<const Run> run; ///< whose events and sites these are
    StepIndex iteration = -1;
    bool again = false;             ///< the times are those of a re-computation
    double step_end = 0;            ///< of the iteration itself
    double clock_step = 0;          ///< seconds: no digit of these times finer than that is told
    double end = 0;                 ///< with what came after it, such as an evaluation
    std::vector<TimelineLane> lanes; ///< by lane, then from the outer level to the inner

    const TimelineBar* find(std::int32_t ordinal) const;
    const EventSite& site_of(const TimelineBar& bar) const { return run->sites()[static_cast<std::size_t>(bar.site)]; }
};

/// From a Run that holds the iteration's events; without lanes where it does not. The iteration's own event is the axis
/// on which the others lie.
TimelineModel make_timeline(std::shared_ptr<const Run> run, StepIndex iteration, bool again);

} // namespace gradus
