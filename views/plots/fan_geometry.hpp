#pragma once

#include "views/state/fan.hpp"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <functional>
#include <string_view>
#include <vector>

namespace gradus {

/// The futures' parts of a series as they are drawn.
struct FanCurves {
    StepIndex smoothing = 1; ///< each value is the mean of so many steps
    std::vector<std::vector<SeriesPoint>> curves; ///< by future
    std::vector<StepIndex> broken_at;             ///< by future: its first value that is not finite; -1: none
    /// What an axis must show: all of the futures that stay in sight of each other.
    double least = 0, greatest = 1;
};
FanCurves fan_curves(const Fan& fan, std::string_view series);

/// One future in pixels.
struct FanLine {
    std::vector<QPointF> points;
    QPointF end;
    bool broken = false;
    bool left = false; ///< through the top: it ends outside the plot
};

/// Where one name stands: of one future, or of neighbours that end so near to each other that one name serves them.
struct FanName {
    std::size_t first = 0, last = 0; ///< futures; every one between them is meant
    QRectF rect;
    bool holds(int future) const { return future >= static_cast<int>(first) && future <= static_cast<int>(last); }
};

struct FanPicture {
    std::vector<FanLine> lines; ///< by future
    std::vector<FanName> names; ///< from top to bottom
    /// The future whose line is nearest to a pixel, at most so far away; -1: none. A name counts as its lines: along it
    /// they follow each other.
    int at(QPointF pixel) const;
};

/// Places lines by `pixel` and, right of `names_from`, a name for every future, where there is room for one at all.
/// Names never overlap and stay inside `area`; they do not depend on what is chosen. The present value has one of its
/// own.
FanPicture lay_out_fan(const Fan& fan, const FanCurves& curves, const QRectF& area, double names_from,
                       const std::function<QPointF(const SeriesPoint&)>& pixel);

} // namespace gradus
