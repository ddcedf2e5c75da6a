#include "views/theme/cover_painter.hpp"

#include "views/theme/words.hpp"

#include <QPainterPath>
#include <algorithm>

namespace gradus {

void paint_cover(QPainter& painter, const QRectF& rect, const Theme& theme, double line) {
    if (rect.width() < 1 || rect.height() < 1) return;
    painter.save();
    painter.fillRect(rect, theme.surface); // the corners too
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = rect.adjusted(line / 2, line / 2, -line / 2, -line / 2);
    const double small = std::min(box.width(), box.height()), radius = std::min<double>(metrics::radius, small / 3);
    QPainterPath path;
    path.addRoundedRect(box, radius, radius);
    painter.fillPath(path, theme.fill);
    painter.save();
    painter.setClipPath(path, Qt::IntersectClip);
    painter.setPen(QPen(theme.line, std::max(1.0, line)));
    const double apart = std::clamp(small / 6, 5.0, 16.0);
    for (double x = box.left() - box.height(); x < box.right(); x += apart)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    painter.restore();
    painter.setBrush(Qt::NoBrush);
    QPen dashed(theme.ink2, line);
    dashed.setDashPattern({5 / line, 4 / line});
    painter.setPen(dashed);
    painter.drawPath(path);
    // A dark sign with a thread of fill round it, so that the hatching does not run into it.
    const double size = std::min({small * 0.72, box.width() * 0.9, 96.0});
    if (size >= 7) {
        const QFont font = text_font(std::max(metrics::small_text, static_cast<int>(size)), QFont::Bold);
        const TextMetrics fm(font);
        const QString sign = QStringLiteral("?");
        const QRectF tight = fm.tightBoundingRect(sign);
        const double fits = std::min(1.0, (box.height() - 4) / tight.height()); // the smallest letters may be too large for it
        QPainterPath glyph;
        glyph.addText(-tight.center(), font, sign);
        glyph = QTransform::fromScale(fits, fits).map(glyph).translated(box.center());
        painter.setPen(QPen(theme.fill, 4));
        painter.drawPath(glyph);
        painter.fillPath(glyph, theme.ink);
    }
    painter.restore();
}

} // namespace gradus
