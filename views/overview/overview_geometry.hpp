#pragma once

#include "views/overview/outcome_curve.hpp"
#include "views/overview/step_window.hpp"
#include "views/state/look.hpp"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace gradus {

/// One branch on the strip of the whole run.
struct OverviewBranch {
    std::size_t run = 0;
    QPointF leaves;      ///< on the parent's line; equal to `start` for the first Run
    QPointF start;       ///< where its own line begins
    double recorded = 0; ///< x as far as it is recorded
    double planned = 0;  ///< x of the last planned step
    bool selected = false, parameter = false, setting = false, broken = false; ///< what was changed, how it ended
    QString name;        ///< by what was changed, and how far it came; empty for the first Run
    QRectF name_rect;    ///< where it is written; no wider than it may be
    bool over_line = false; ///< the name stands on the branch's own line
};

/// A place in the run that somebody marked.
struct OverviewMark {
    enum class Kind : std::uint8_t { bookmark, flag, breakpoint };
    Kind kind = Kind::bookmark;
    StepIndex iteration = 0;
};

/// The whole run in a rectangle: the outcome's curve, under it the first Run's line, under that a row for each fork; the
/// latest ones and the selected one where there are too many. An iteration i lies from x_of(i) to x_of(i + 1).
struct Overview {
    QRectF area, curve;
    StepIndex planned = 1;
    std::vector<OverviewBranch> branches;
    std::vector<OverviewMark> marks;
    QRectF frame;        ///< round what the strip of steps shows; never narrower than one can grasp
    double cursor = 0;   ///< x

    double x_of(double iteration) const;
    double middle_of(StepIndex iteration) const { return x_of(static_cast<double>(iteration) + 0.5); }
    double iterations_at(double x) const; ///< not rounded
    StepIndex iteration_at(double x) const;
    double row_of(std::size_t run) const; ///< y of a branch's line; the first row where it is not shown
};

Overview make_overview(const Look& look, std::optional<StepIndex> prepared, const StepWindow& window,
                       const OutcomeCurve& curve, const QRectF& area);

/// How many forks have a row of their own in a strip so high.
std::size_t fork_rows(double height, std::size_t forks);
constexpr double fork_row_height = 13; // pixels: a line of the smallest text

} // namespace gradus
