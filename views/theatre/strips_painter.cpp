// The warp's way as a strip, the part round the step below it, and how the block's warps stand.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

/// The number of the step that is under way after so many turns.
std::size_t step_after(const WarpTurns& turns, std::int64_t done) {
    const auto at = std::upper_bound(turns.ends.begin(), turns.ends.end(), done);
    return std::min(static_cast<std::size_t>(at - turns.ends.begin()), turns.ends.size() - 1);
}

void paint_whole(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const WarpTurns& turns = *p.model.turns;
    const QRectF& strip = p.geometry.whole;
    const auto columns = static_cast<int>(strip.width());
    const auto kind_at = [&](int x) { // one for each column of pixels, however many steps there are
        const auto done = static_cast<std::int64_t>((x + 0.5) / columns * static_cast<double>(turns.total()));
        return turns.kinds[step_after(turns, done)];
    };
    for (int x = 0, until = 0; x < columns; x = until) {
        const WarpTurns::Kind kind = kind_at(x);
        for (until = x + 1; until < columns && kind_at(until) == kind;) ++until;
        painter.fillRect(QRectF(strip.left() + x, strip.top(), until - x, strip.height()), colour_of(kind, theme));
    }
}

void paint_detail(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const WarpTurns& turns = *p.model.turns;
    const TheatreGeometry& g = p.geometry;
    for (std::size_t i = step_after(turns, g.detail_from); i < turns.steps.size(); ++i) {
        const std::int64_t begin = i ? turns.ends[i - 1] : 0;
        if (begin >= g.detail_until) break;
        const double from = g.x_of(begin, g.detail, g.detail_from, g.detail_until), until = g.x_of(turns.ends[i], g.detail, g.detail_from, g.detail_until);
        const bool barrier = turns.kinds[i] == WarpTurns::Kind::barrier;
        if (barrier) painter.fillRect(QRectF((from + until) / 2 - 1, g.detail.top() - 3, 2, g.detail.height() + 6), theme.ink);
        else painter.fillRect(QRectF(from + 0.5, g.detail.top(), std::max(1.0, until - from - 1), g.detail.height()), colour_of(turns.kinds[i], theme));
    }
    // The frame round that part above, and lines from it to the ends.
    const double left = g.x_of(g.detail_from, g.whole, 0, turns.total()), right = std::max(left + 3, g.x_of(g.detail_until, g.whole, 0, turns.total()));
    painter.setPen(QPen(theme.ink3, 1));
    painter.drawLine(QPointF(left, g.whole.bottom() + 2), QPointF(g.detail.left(), g.detail.top() - 2));
    painter.drawLine(QPointF(right, g.whole.bottom() + 2), QPointF(g.detail.right(), g.detail.top() - 2));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.ink, 1));
    painter.drawRect(QRectF(left, g.whole.top() - 2, right - left, g.whole.height() + 4).adjusted(-0.5, 0.5, 0.5, -0.5));
    if (!p.model.at_step) return;
    const std::size_t at = turns.find(p.model.step);
    if (at >= turns.steps.size()) return;
    const double x = g.x_of(at ? turns.ends[at - 1] : 0, g.detail, g.detail_from, g.detail_until);
    painter.fillRect(QRectF(x - 1, g.detail.top() - 4, 2, g.detail.height() + 8), theme.ink);
    painter.setBrush(theme.ink);
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({{x - 5, g.detail.top() - 9}, {x + 5, g.detail.top() - 9}, {x, g.detail.top() - 3}}));
}

void paint_warps(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    for (std::size_t warp = 0; warp < g.warp_cells.size(); ++warp) { // as full as its threads have come to the barrier
        const QRectF& cell = g.warp_cells[warp];
        painter.fillRect(cell, theme.fill);
        const int live = p.model.barrier.live_of[warp], arrived = p.model.barrier.arrived_of[warp];
        if (live) {
            const double height = cell.height() * arrived / live;
            painter.fillRect(QRectF(cell.left(), cell.bottom() - height, cell.width(), height), theme.ink3);
        }
        const bool here = static_cast<int>(warp) == p.model.warp;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(here ? theme.ink : live ? theme.ink3 : theme.line, here ? 2 : 1));
        painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(theme.ink2);
    const TextMetrics fm(painter.font());
    QString words = barrier_words(p.model);
    if (fm.horizontalAdvance(words) > g.barrier.width()) words = barrier_words(p.model, true);
    draw_text(painter, g.barrier, Qt::AlignLeft | Qt::AlignVCenter, fm.elidedText(words, Qt::ElideRight, g.barrier.width()));
}

} // namespace

QColor colour_of(WarpTurns::Kind kind, const Theme& theme) {
    switch (kind) {
    case WarpTurns::Kind::global: return theme.memory[3];
    case WarpTurns::Kind::shared: return theme.memory[1];
    case WarpTurns::Kind::local: return theme.memory[0];
    case WarpTurns::Kind::barrier: return theme.ink;
    case WarpTurns::Kind::meet: return theme.ink2;
    case WarpTurns::Kind::other: break;
    }
    return theme.line;
}

void paint_strips(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    if (p.geometry.whole.isNull() || !p.model.turns || p.model.turns->steps.empty()) return;
    if (const QRectF& label = p.geometry.whole_label; !label.isNull()) {
        painter.setFont(text_font(metrics::small_text));
        painter.setPen(theme.ink2);
        draw_text(painter, p.geometry.warps_label, Qt::AlignLeft | Qt::AlignVCenter, tr("warps"));
        const QString words = tr("steps of warp %1 from first to last, below it those near this one").arg(p.model.warp);
        draw_text(painter, label, Qt::AlignLeft | Qt::AlignVCenter, TextMetrics(painter.font()).elidedText(words, Qt::ElideRight, label.width()));
    }
    paint_warps(painter, p, theme);
    paint_whole(painter, p, theme);
    paint_detail(painter, p, theme);
}

} // namespace gradus
