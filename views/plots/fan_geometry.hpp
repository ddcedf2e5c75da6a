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
    bool labelled = false;
    QRectF label; ///< where its name stands
};

struct FanPicture {
    std::vector<FanLine> lines; ///< by future
    /// The future whose line is nearest to a pixel, at most so far away; -1: none. Labels count as their lines.
    int at(QPointF pixel) const;
};

/// Places lines by `pixel` and, right of `labels_from`, as many names as there is room for: the chosen one's, the first
/// and the last, then evenly. Names never overlap and stay inside `area`.
FanPicture lay_out_fan(const Fan& fan, const FanCurves& curves, const QRectF& area, double labels_from,
                       const std::function<QPointF(const SeriesPoint&)>& pixel);

} // namespace gradus
