#pragma once

#include "views/overview/overview_geometry.hpp"
#include "views/overview/steps_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// The outcome's curve, the branches and the marks on them.
void paint_overview(QPainter& painter, const Overview& overview, const OutcomeCurve& curve, std::size_t selected,
                    const std::vector<std::shared_ptr<const Run>>& runs, const Theme& theme);
/// The frame round what the strip of steps shows, and two lines from it to that strip's ends.
void paint_frame(QPainter& painter, const Overview& overview, const StepsStrip& steps, const Theme& theme);
/// Bands, marks on them, the cursor and the labels. `fork` is where the selected branch left its parent; -1: nowhere.
void paint_steps(QPainter& painter, const StepsStrip& steps, const std::vector<OverviewMark>& marks,
                 const OverviewBranch* fork, StepIndex fork_iteration, const Theme& theme);

/// The colour of a phase's bands; ink for what has none.
QColor phase_hue(const Theme& theme, Phase phase);

} // namespace gradus
