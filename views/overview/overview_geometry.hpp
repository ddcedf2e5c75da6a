#pragma once

#include "engine/trace/run.hpp"

#include <QPointF>
#include <QRectF>
#include <memory>
#include <vector>

namespace gradus {

/// One branch on the strip of the whole run.
struct OverviewBranch {
    std::size_t run = 0;
    QPointF leaves;     ///< on the parent's line; equal to `start` for the first Run
    QPointF start;      ///< where its own line begins
    double recorded = 0; ///< x as far as it is recorded
    double planned = 0;  ///< x of the last planned step
    bool selected = false, parameter = false, setting = false, broken = false; ///< what was changed, how it ended
};

/// The whole run in a rectangle: one row per branch, the latest ones where there are too many.
struct Overview {
    QRectF area;
    StepIndex planned = 1;
    std::vector<OverviewBranch> branches;
    double x_of(StepIndex iteration) const;
    StepIndex iteration_at(double x) const;
    double row_of(std::size_t run) const; ///< y of a branch's line; the first row where it is not shown
};

Overview make_overview(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, const QRectF& area);

} // namespace gradus
