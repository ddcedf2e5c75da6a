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
    for (std::size_t i = 0; i < geometry.runs.size(); ++i) {
        const RichRun& run = geometry.runs[i];
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
            if (run.goes_on && i + 1 < geometry.runs.size() && geometry.runs[i + 1].base.y() == run.base.y()) // one stretch of code on a line is one
                painter.drawRect(QRectF(QPointF(rect.right() - 4, rect.top()), QPointF(geometry.runs[i + 1].rect.left() + origin.x() + 4, rect.bottom())));
        }
        painter.setFont(run.font);
        if (run.kind == RichSpan::Kind::live)
            paint_provenance(painter, {rect.left(), base.y()}, run.provenance, TextMetrics(run.font).capHeight(),
                             theme.ink2);
        painter.setPen(ink);
        draw_text(painter, base, run.kind == RichSpan::Kind::code ? without_ligatures(run.text) : run.text);
    }
}

} // namespace gradus
