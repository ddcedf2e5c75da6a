#pragma once

#include "engine/core/ids.hpp"

namespace gradus {

/// The part of a run that the strip of steps shows, in iterations: an iteration i lies from i to i + 1.
struct StepWindow {
    double first = 0;
    double count = 20;
    double until() const { return first + count; }
    bool operator==(const StepWindow&) const = default;
};

/// How many steps a strip so wide shows if nobody zooms: about 10 to 40.
double usual_count(double width);

/// Inside the run and no finer than one step, no coarser than eight pixels for each.
StepWindow clamped(StepWindow window, StepIndex planned, double width);

/// Moved no further than needed, so that the iteration stands off the window's ends.
StepWindow following(StepWindow window, StepIndex iteration, StepIndex planned, double width);

/// The window for a step if nobody zooms. It follows from the step alone, whichever way one came, and the step stands off
/// its ends; while one plays it stands still for most of its width.
StepWindow page_of(StepIndex iteration, StepIndex planned, double width);

/// `factor` times as many steps; what stands at `share` of the width (0 to 1) stays there as far as the run allows.
StepWindow zoomed(StepWindow window, double factor, double share, StepIndex planned, double width);

} // namespace gradus
