// The 32 lanes of the warp, and what one of them keeps in its variables.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

/// What stands in a lane that takes no part: which line it stands at, that it waits, or that it is done.
QString aside(const TheatreModel& model, const LaneStand& stand) {
    switch (stand.state) {
    case LaneState::waiting: return QStringLiteral("‖");
    case LaneState::done: return QStringLiteral("–");
    case LaneState::elsewhere: {
        const KernelTrace& trace = model.events->trace();
        return QStringLiteral(":%1").arg(trace.sites[trace.log.site[stand.next]].place.line);
    }
    case LaneState::active:
    case LaneState::absent: break;
    }
    return {};
}

/// A number with as many decimals as there is room for, all that it has or fewer; other words stay.
QString in_width(const QString& words, const QFont& font, double width) {
    QString out = words;
    for (qsizetype dot = out.indexOf('.'); dot > 0 && dot < out.size() - 1 && TextMetrics(font).horizontalAdvance(out) > width;) {
        bool number = false;
        const double value = QString(words).replace(QChar(0x2212), '-').toDouble(&number);
        if (!number) break;
        const auto decimals = static_cast<int>(out.size() - dot) - 2;
        out = with_minus(QString::number(value, 'f', decimals));
        dot = out.indexOf('.');
    }
    return out;
}

QFont value_font(const QRectF& box, bool active) {
    return mono_font(box.width() >= 46 ? 14 : box.width() >= 42 ? 13 : box.width() >= 38 ? 12 : metrics::small_text, active ? QFont::Medium : QFont::Normal);
}

/// ".04" in place of "0.04".
QString without_zero(QString words) {
    if (words.startsWith(QLatin1String("0.")) || words.startsWith(QStringLiteral("−0."))) words.remove(words.indexOf('0'), 1);
    return words;
}

/// All lanes in one way: where one number had to lose a decimal, none has a 0 before its point.
bool are_compact(const TheatrePicture& p) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const QRectF& box = p.geometry.lanes[lane];
        if (TextMetrics(value_font(box, true)).horizontalAdvance(p.model.cells[lane]) > box.width() - 5) return true;
    }
    return false;
}

void paint_lane(QPainter& painter, const TheatrePicture& p, int lane, bool compact, const Theme& theme) {
    const QRectF box = p.geometry.lanes[static_cast<std::size_t>(lane)].adjusted(0.5, 0.5, -0.5, -0.5);
    const LaneStand& stand = p.model.stand.lanes[static_cast<std::size_t>(lane)];
    if (stand.state == LaneState::absent) { // the block has no such thread
        const double corner = std::min(p.sparse ? 5.0 : 4.0, box.width() / 4);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(p.sparse ? theme.ink3 : theme.line, p.sparse ? 2 : 1, Qt::DotLine));
        painter.drawRoundedRect(box, corner, corner);
        return;
    }
    const bool active = stand.state == LaneState::active, named = p.model.word_lanes >> lane & 1;
    std::uint32_t faulty = 0;
    for (const TheatreFinding& finding : p.model.findings) faulty |= p.secret || !finding.here ? 0 : finding.lanes;
    const bool fault = faulty >> lane & 1;
    const double radius = std::min(p.sparse ? 5.0 : 4.0, box.width() / 4);
    // Active lanes stand out, the others step back: seen from the back row as from near.
    const bool aside_now = p.sparse && p.model.lane >= 0 && p.model.lane != lane; // a class sees the one that is spoken of
    painter.setBrush(active ? p.sparse ? aside_now ? theme.ink3 : theme.ink : theme.surface : stand.state == LaneState::done ? QBrush(Qt::NoBrush) : QBrush(theme.fill));
    QPen outline(fault ? theme.fault : named ? theme.data : active ? theme.ink3 : theme.line, p.sparse || fault || named ? 2 : 1);
    if (stand.state == LaneState::elsewhere) outline.setStyle(Qt::DashLine), outline.setColor(theme.ink3);
    painter.setPen(p.sparse && active && !fault && !named ? QPen(Qt::NoPen) : outline);
    painter.drawRoundedRect(box, radius, radius);
    if (!p.sparse) {
        const QFont small = mono_font(metrics::small_text), font = value_font(box, active);
        painter.setFont(small);
        painter.setPen(fault ? theme.fault : theme.ink2);
        const bool counted = TextMetrics(small).horizontalAdvance(fault ? QStringLiteral("✕31") : QStringLiteral("31")) <= box.width() + 2; // else no lane has its number
        const QString number = (fault ? QStringLiteral("✕") : QString()) + (counted ? QString::number(lane) : QString());
        const QString cell = p.model.cells[static_cast<std::size_t>(lane)], value = active ? compact ? without_zero(cell) : cell : aside(p.model, stand);
        const double half = p.geometry.values ? box.height() / 2 : box.height();
        draw_text(painter, QRectF(box.left(), box.top() + 1, box.width(), half), Qt::AlignCenter | Qt::TextDontClip, number);
        if (p.geometry.values) {
            painter.setFont(font);
            painter.setPen(active ? theme.ink : theme.ink2);
            draw_text(painter, QRectF(box.left() + 1, box.top() + half - 1, box.width() - 2, half), Qt::AlignCenter | Qt::TextDontClip, TextMetrics(font).elidedText(in_width(value, font, box.width() - 4), Qt::ElideRight, box.width() + 1));
        }
    }
    if (p.sparse && p.geometry.numbers) {
        const int size = std::clamp(static_cast<int>(box.height() * 0.7), metrics::small_text, 17);
        painter.setFont(mono_font(size, QFont::Medium));
        painter.setPen(active ? theme.surface : theme.ink2);
        draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, QString::number(lane));
    }
    if (p.model.lane == lane && !p.sparse) { // the cursor's mark on a cell
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.ink, 2));
        painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), radius + 2, radius + 2);
    }
}

/// "lane 5", its thread, and its variables; what has changed since its last step is bold, with what it was.
void paint_locals(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const QRectF& box = p.geometry.locals;
    if (box.isNull() || p.model.shown_lane < 0) return;
    const QFont plain = mono_font(metrics::text - 1), bold = mono_font(metrics::text - 1, QFont::Bold), words = text_font(metrics::text - 1, QFont::DemiBold);
    const double line = std::ceil(TextMetrics(words).lineHeight(QStringLiteral("가"))) + 2;
    double x = box.left(), y = box.top() + TextMetrics(words).ascent();
    const auto put = [&](const QString& text, const QFont& font, const QColor& colour, double after) {
        const double width = TextMetrics(font).horizontalAdvance(text);
        if (x + width > box.right() && x > box.left()) x = box.left(), y += line;
        if (y > box.bottom()) return false;
        painter.setFont(font);
        painter.setPen(colour);
        draw_text(painter, QPointF(x, y), TextMetrics(font).elidedText(text, Qt::ElideRight, box.right() - x));
        x += width + after;
        return true;
    };
    put(tr("lane %1").arg(p.model.shown_lane), words, theme.ink, 8);
    put(thread_words(p.model, p.model.shown_lane), text_font(metrics::text - 1), theme.ink2, 16);
    if (!p.model.locals_why.isEmpty()) {
        put(p.model.locals_why, text_font(metrics::text - 1), theme.ink2, 0);
        return;
    }
    for (const TheatreLocal& local : p.model.locals) {
        const QString value = local.changed && !local.before.isEmpty() && local.before.size() < 12 ? local.before + QStringLiteral(" → ") + local.value : local.value;
        const double width = TextMetrics(plain).horizontalAdvance(local.name + QStringLiteral(" ")) + TextMetrics(bold).horizontalAdvance(value);
        if (x + width > box.right() && x > box.left()) x = box.left(), y += line;
        if (y > box.bottom()) return;
        if (!put(local.name, plain, theme.ink2, TextMetrics(plain).horizontalAdvance(QStringLiteral(" ")))) return;
        if (!put(value, local.changed ? bold : plain, theme.ink, 16)) return;
    }
}

} // namespace

void paint_lanes(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    if (g.lanes.empty()) return;
    if (!g.lanes_head.isNull()) {
        const QFont bold = text_font(metrics::text - 1, QFont::DemiBold), plain = text_font(metrics::text - 1);
        QString words = lanes_words(p.model);
        if (const QString all = words + others_words(p.model); TextMetrics(plain).horizontalAdvance(all) + TextMetrics(bold).horizontalAdvance(step_words(p.model)) + 40 <= g.lanes_head.width()) words = all;
        const double width = TextMetrics(plain).horizontalAdvance(words), height = std::round(0.66 * metrics::text), base = g.lanes_head.center().y() + TextMetrics(plain).capHeight() / 2;
        painter.setFont(plain);
        painter.setPen(theme.ink2);
        draw_text(painter, QPointF(g.lanes_head.right() - width, base), words);
        paint_provenance(painter, {g.lanes_head.right() - width - provenance_width(Provenance::counted, height), base}, Provenance::counted, height, theme.ink2);
        painter.setFont(bold);
        painter.setPen(theme.ink);
        draw_text(painter, QPointF(g.lanes_head.left(), base), TextMetrics(bold).elidedText(step_words(p.model), Qt::ElideRight, g.lanes_head.width() - width - 30));
    }
    if (g.rank.width() > 0) {
        painter.setFont(mono_font(metrics::small_text));
        painter.setPen(theme.ink2);
        for (int row = 0; row < 32 / g.lanes_per_row; ++row) {
            const QString first = QStringLiteral("+%1").arg(p.model.warp * 32 + row * g.lanes_per_row);
            draw_text(painter, QRectF(g.rank.left(), g.lanes[static_cast<std::size_t>(row * g.lanes_per_row)].top(), g.rank.width() - 4, g.rank.height()), Qt::AlignRight | Qt::AlignVCenter, first);
        }
    }
    const bool compact = g.values && are_compact(p);
    for (int lane = 0; lane < 32; ++lane) paint_lane(painter, p, lane, compact, theme);
    paint_locals(painter, p, theme);
}

} // namespace gradus
