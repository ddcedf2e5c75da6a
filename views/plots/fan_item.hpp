#pragma once

#include "views/plots/fan_painter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <qcustomplot.h>
#include <utility>

namespace gradus {

/// Futures that fan out from the cursor.
class FanItem : public QCPAbstractItem {
public:
    explicit FanItem(QCustomPlot* plot) : QCPAbstractItem(plot) {
        setLayer("overlay");
        setClipToAxisRect(false); // names stand right of the axes' last step
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

    std::optional<Fan> fan;
    FanCurves curves;
    FanPicture picture;
    Role role = Role::metric; ///< of the series: its lines have that hue
    Theme theme;

protected:
    void draw(QCPPainter* painter) override {
        picture = {};
        if (!fan) return;
        const QRectF inside = parentPlot()->axisRect()->rect();
        const auto pixel = [this](const SeriesPoint& point) {
            return QPointF(parentPlot()->xAxis->coordToPixel(static_cast<double>(point.iteration)),
                           parentPlot()->yAxis->coordToPixel(point.value));
        };
        const double from = pixel({fan->iteration + fan->horizon, 0}).x() + 18;
        picture = lay_out_fan(*fan, curves, inside, from, pixel);
        paint_fan(*painter, *fan, curves, picture, inside, role, theme);
    }
};

/// The steps on an axis so many pixels wide while futures are open: a third for what led there, room for names on the right.
inline std::pair<StepIndex, StepIndex> fan_steps(const Fan& fan, int width) {
    const StepIndex ahead = std::max<StepIndex>(2, fan.horizon), from = std::max<StepIndex>(0, fan.iteration - ahead / 2);
    constexpr double names = 124; // pixels: "now η 0.1  0.823" in bold
    const double steps = static_cast<double>(fan.iteration + ahead - from), room = std::max(width - names, names / 2);
    return {from, fan.iteration + ahead + static_cast<StepIndex>(std::ceil(steps * names / room))};
}

} // namespace gradus
