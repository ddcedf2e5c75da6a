#pragma once

#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <qcustomplot.h>
#include <utility>
#include <vector>

namespace gradus {

/// The names of several series, each with a piece of its line, at the end of its curve and none on another.
class LabelsItem : public QCPAbstractItem {
public:
    struct Label {
        QString text;
        QPointF end; ///< in the plot's coordinates
        bool strong = false;
        QPen pen; ///< the curve's: where curves end in one point a piece of it says whose name this is
    };
    static constexpr double piece = 24, gap = 5; ///< pixels: of a line, long enough to show its dashes

    explicit LabelsItem(QCustomPlot* plot) : QCPAbstractItem(plot) {
        setLayer("overlay");
        setClipToAxisRect(false);
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

    std::vector<Label> labels;
    Theme theme;

protected:
    void draw(QCPPainter* painter) override {
        const QRectF inside = parentPlot()->axisRect()->rect();
        std::vector<std::pair<double, const Label*>> placed;
        for (const Label& label : labels)
            placed.emplace_back(std::clamp(parentPlot()->yAxis->coordToPixel(label.end.y()), inside.top(), inside.bottom()), &label);
        std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        const double apart = TextMetrics(text_font(metrics::small_text)).capHeight() + 6;
        for (std::size_t i = 1; i < placed.size(); ++i) placed[i].first = std::max(placed[i].first, placed[i - 1].first + apart);
        double lowest = inside.bottom(); // the numbers of the axis stand below
        for (std::size_t i = placed.size(); i-- > 0; lowest -= apart) placed[i].first = std::min(placed[i].first, lowest);
        for (const auto& [y, label] : placed) {
            const QPointF end(parentPlot()->xAxis->coordToPixel(label->end.x()),
                              std::clamp(parentPlot()->yAxis->coordToPixel(label->end.y()), inside.top(), inside.bottom()));
            const double x = end.x() + 10; // clear of the cursor's ring
            if (std::abs(y - end.y()) > apart / 2) { // a line leads to one that has had to give way
                painter->setPen(QPen(theme.ink3, 1));
                painter->drawLine(QLineF(end + QPointF(2, 0), QPointF(x - 2, y)));
            }
            const bool alone = labels.size() == 1; // a piece of line at the height of the only curve would be more of that curve
            painter->setPen(label->pen);
            if (!alone) painter->drawLine(QLineF(x, y, x + piece, y));
            painter->setFont(text_font(metrics::small_text, label->strong ? QFont::DemiBold : QFont::Normal));
            painter->setPen(label->strong ? theme.ink : theme.ink2);
            draw_text(*painter, QRectF(alone ? x : x + piece + gap, y - apart, 200, 2 * apart), Qt::AlignLeft | Qt::AlignVCenter, label->text);
        }
    }
};

} // namespace gradus
