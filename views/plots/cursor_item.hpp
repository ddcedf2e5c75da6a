#pragma once

#include "views/plots/plot_view.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/theme.hpp"
#include "views/theme/words.hpp"

#include <cmath>
#include <qcustomplot.h>

namespace gradus {

/// The cursor: a line with a cap, a ring on the curve, and the value beside it.
class CursorItem : public QCPAbstractItem {
public:
    explicit CursorItem(QCustomPlot* plot) : QCPAbstractItem(plot) {
        setLayer("overlay");
        setClipToAxisRect(false); // the cap stands above the axes
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

    CurveCursor cursor;
    QString name; ///< of the series it stands on, where there are others
    Theme theme;

protected:
    void draw(QCPPainter* painter) override {
        if (cursor.iteration < 0) return;
        const QRectF inside = parentPlot()->axisRect()->rect();
        const double x = std::round(parentPlot()->xAxis->coordToPixel(static_cast<double>(cursor.iteration)));
        if (x < inside.left() - 1 || x > inside.right() + 1) return;
        painter->setAntialiasing(true);
        painter->setPen(QPen(theme.ink, 2, Qt::SolidLine, Qt::FlatCap)); // ends where a cover does
        painter->drawLine(QLineF(x, inside.top(), x, inside.bottom()));
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.ink);
        const QPointF cap[3] = {{x - 5, inside.top() - 6}, {x + 5, inside.top() - 6}, {x, inside.top()}};
        painter->drawPolygon(cap, 3);
        if (!cursor.value) return;
        const bool finite = std::isfinite(*cursor.value);
        const double y = finite ? parentPlot()->yAxis->coordToPixel(*cursor.value) : inside.top() + 12;
        const QString text = (name.isEmpty() ? name : name + ' ') + (finite ? QString() : QStringLiteral("✕ ")) + three_digits(*cursor.value);
        if (finite && (y < inside.top() - 5 || y > inside.bottom() + 5)) { // what is only tried may lie beyond the axis
            const double edge = y < inside.top() ? inside.top() : inside.bottom(), back = y < inside.top() ? 7 : -7;
            painter->setBrush(theme.ink);
            painter->drawPolygon(QPolygonF({{x - 5, edge + back}, {x + 5, edge + back}, {x, edge}}));
        } else if (finite) {
            painter->setPen(QPen(cursor.later ? theme.ink2 : theme.ink, 2, cursor.later ? Qt::DotLine : Qt::SolidLine));
            painter->setBrush(theme.surface);
            painter->drawEllipse(QPointF(x, y), 4.5, 4.5);
        }
        const QFont bold = mono_font(metrics::text, QFont::Bold), small = text_font(metrics::small_text);
        const QString after = cursor.later ? PlotView::tr("(computed later in this step)") : QString();
        const double width = TextMetrics(bold).horizontalAdvance(text) + 8;
        double beside = cursor.later ? TextMetrics(small).horizontalAdvance(after) + 6 : 0;
        if (width + beside > std::max(inside.right() - x, x - inside.left()) - 6) beside = 0; // the ring says it
        QRectF label(x + 6, inside.top() - 24, width + beside, 18); // beside the cap, off the curves
        if (label.right() > inside.right()) label.moveRight(x - 6);
        painter->setFont(bold);
        painter->setPen(!finite ? theme.fault : cursor.later ? theme.ink2 : theme.ink);
        draw_text(*painter, label.adjusted(0, 0, -beside, 0), Qt::AlignCenter, text);
        if (beside == 0) return;
        painter->setFont(small);
        draw_text(*painter, label.adjusted(width, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, after);
    }
};

} // namespace gradus
