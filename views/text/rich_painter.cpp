#include "views/text/rich_painter.hpp"

#include "views/text/formula_painter.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <cmath>

namespace gradus {

namespace {

void paint_cap(QPainter& painter, const QRectF& rect, const Theme& theme) {
    const QRectF cap(std::round(rect.left()) + 0.5, std::round(rect.top()) - 0.5, std::round(rect.width()) - 1,
                     std::round(rect.height()) + 1);
    painter.setPen(QPen(theme.ink3, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(cap, 4, 4);
}

} // namespace

void paint_rich(QPainter& painter, const RichGeometry& geometry, QPointF origin, const QRectF& clip, const Theme& theme,
                const QColor& ink) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const RichRun& run : geometry.runs) {
        const QRectF rect = run.rect.translated(origin);
        if (!rect.adjusted(-4, -4, 4, 4).intersects(clip)) continue;
        const QPointF base = run.base + origin;
        if (run.kind == RichSpan::Kind::formula) {
            paint_formula(painter, *run.formula, base, theme, ink);
            continue;
        }
        if (run.kind == RichSpan::Kind::key) paint_cap(painter, rect, theme);
        if (run.kind == RichSpan::Kind::code) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.fill);
            painter.drawRoundedRect(rect, 4, 4);
        }
        painter.setFont(run.font);
        if (run.kind == RichSpan::Kind::live)
            paint_provenance(painter, {rect.left(), base.y()}, run.provenance, TextMetrics(run.font).capHeight(),
                             theme.ink2);
        painter.setPen(ink);
        draw_text(painter, base, run.text);
    }
}

} // namespace gradus
