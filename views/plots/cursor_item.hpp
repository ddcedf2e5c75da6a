#pragma once

#include "views/plots/curves.hpp"
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
        if (finite) {
            painter->setPen(QPen(theme.ink, 2));
            painter->setBrush(theme.surface);
            painter->drawEllipse(QPointF(x, y), 4.5, 4.5);
        }
        painter->setFont(mono_font(metrics::text, QFont::Bold));
        const QSizeF size(TextMetrics(painter->font()).horizontalAdvance(text) + 8, 18);
        QRectF label(x + 6, inside.top() - 6 - size.height(), size.width(), size.height()); // beside the cap, off the curves
        if (label.right() > inside.right()) label.moveRight(x - 6);
        painter->setPen(finite ? theme.ink : theme.fault);
        draw_text(*painter, label, Qt::AlignCenter, text);
    }
};

} // namespace gradus
