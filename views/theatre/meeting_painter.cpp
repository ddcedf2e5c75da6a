// Steps that move no memory: how all threads of the block stand, and what lanes hand to each other.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

/// Upper row: the lanes that are asked; lower row: who gets the value.
void paint_shuffle(QPainter& painter, const TheatrePicture& p, const QRectF& box, const Theme& theme) {
    const double width = box.width() / 32, size = std::min(width - 1, 20.0), below = box.top() + std::min(box.height() - size, 130.0);
    const auto centre = [&](int lane, double top) { return QPointF(box.left() + (lane + 0.5) * width, top + size / 2); };
    for (int lane = 0; lane < 32; ++lane) {
        const int from = p.model.asks[static_cast<std::size_t>(lane)];
        if (from < 0) continue;
        const bool here = lane == p.model.lane, own = from == lane; // one that keeps its own value is none to look at
        const QPointF begin = centre(from, box.top()) + QPointF(0, size / 2), end = centre(lane, below) - QPointF(0, size / 2);
        painter.setPen(QPen(here ? theme.ink : own ? theme.line : p.sparse ? theme.ink : theme.ink3, here || p.sparse ? 2 : 1));
        painter.drawLine(begin, end);
        if (own) continue;
        const QPointF along = (end - begin) / std::hypot(end.x() - begin.x(), end.y() - begin.y()), across(-along.y(), along.x());
        const double head = std::min(7.0, width / 2);
        painter.drawPolyline(QPolygonF{end - along * head + across * head / 2, end, end - along * head - across * head / 2});
    }
    const QFont font = mono_font(metrics::small_text);
    const TextMetrics fm(font);
    const bool all = fm.horizontalAdvance(QStringLiteral("31")) + (p.sparse ? 4 : 1) <= width;
    for (int lane = 0; lane < 32; ++lane)
        for (const double top : {box.top(), below}) {
            QRectF cell(0, 0, size, size);
            cell.moveCenter(centre(lane, top));
            painter.setBrush(theme.surface);
            painter.setPen(QPen(lane == p.model.lane ? theme.ink : theme.ink3, lane == p.model.lane ? 2 : 1));
            if (!all || fm.horizontalAdvance(QStringLiteral("31")) + 2 <= size) painter.drawRoundedRect(cell, 3, 3); // else its number says where it is
            if (!all && lane % 4) continue;
            painter.setFont(font);
            painter.setPen(theme.ink2);
            draw_text(painter, cell, Qt::AlignCenter | Qt::TextDontClip, QString::number(lane));
        }
}

/// Where nobody could tell lane from lane: a box for each warp, with its number.
void paint_warps(QPainter& painter, const TheatrePicture& p, const QRectF& box, const Theme& theme) {
    constexpr double between = 4;
    const auto warps = p.model.all_warps.size();
    const double per_row = static_cast<double>(std::min<std::size_t>(warps, 16)), rows = std::ceil(static_cast<double>(warps) / per_row);
    const double width = std::min((box.width() - between * 15) / 16, 60.0), height = std::min((box.height() - between * (rows - 1)) / rows, 44.0);
    if (height < 4) return;
    const int size = std::clamp(static_cast<int>(height * 0.7), metrics::small_text, 17);
    painter.setFont(mono_font(size, QFont::Medium));
    for (std::size_t warp = 0; warp < warps; ++warp) {
        const auto column = static_cast<double>(warp % static_cast<std::size_t>(per_row)), row = static_cast<double>(warp / static_cast<std::size_t>(per_row));
        const QRectF cell(box.left() + column * (width + between), box.top() + row * (height + between), width, height);
        const auto has = [&](LaneState state) { return std::ranges::any_of(p.model.all_warps[warp].lanes, [&](const LaneStand& lane) { return lane.state == state; }); };
        const bool active = has(LaneState::active), waits = !active && has(LaneState::waiting), done = !active && !waits && !has(LaneState::elsewhere);
        painter.setPen(done ? QPen(theme.line, 2) : QPen(Qt::NoPen));
        painter.setBrush(active ? QBrush(theme.ink) : waits ? QBrush(theme.ink3) : done ? QBrush(Qt::NoBrush) : QBrush(theme.fill));
        painter.drawRoundedRect(cell, 5, 5);
        if (TextMetrics(painter.font()).capHeight() + 2 > height) continue;
        painter.setPen(active || waits ? theme.surface : theme.ink);
        draw_text(painter, cell, Qt::AlignCenter | Qt::TextDontClip, QString::number(warp));
    }
}

/// A row for each warp: which of its lanes have come, and who is missing.
void paint_block(QPainter& painter, const TheatrePicture& p, const QRectF& box, const Theme& theme) {
    const auto warps = p.model.all_warps.size();
    if (!warps) return;
    const double told_apart = p.sparse ? 9 : 4; // rows; a class has them drawn about twice as large
    if (box.height() / static_cast<double>(warps) < told_apart) return paint_warps(painter, p, box, theme);
    const double gutter = 64, width = (box.width() - gutter) / 32, height = std::min(box.height() / static_cast<double>(warps), p.sparse ? 40.0 : 20.0);
    const QFont font = text_font(metrics::small_text);
    std::size_t named = 1; // so many warps to one that has its name
    while (static_cast<double>(named) * height < 14) named *= 2;
    for (std::size_t warp = 0; warp < warps; ++warp) {
        const double top = box.top() + static_cast<double>(warp) * height;
        if (warp % named == 0) {
            painter.setFont(font);
            painter.setPen(static_cast<int>(warp) == p.model.warp ? theme.ink : theme.ink2);
            draw_text(painter, QRectF(box.left(), top, gutter - 8, height), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tr("warp %1").arg(warp));
        }
        for (int lane = 0; lane < 32; ++lane) {
            const double edge = height > 6 ? 1 : 0.5;
            const QRectF cell(box.left() + gutter + lane * width + 1, top + edge, width - 2, height - 2 * edge);
            switch (p.model.all_warps[warp].lanes[static_cast<std::size_t>(lane)].state) {
            case LaneState::active: painter.fillRect(cell, theme.ink); break;
            case LaneState::waiting: painter.fillRect(cell, theme.ink3); break;
            case LaneState::elsewhere: painter.fillRect(cell, theme.fill); break;
            case LaneState::done:
            case LaneState::absent:
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(theme.line, 1));
                if (p.model.all_warps[warp].lanes[static_cast<std::size_t>(lane)].state == LaneState::done) painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
                break;
            }
        }
    }
}

/// In place of how the block stands: what the thread asked for, as it was found. The kernel ended there.
void paint_missed(QPainter& painter, const TheatreFinding& finding, const QRectF& box, const Theme& theme) {
    const auto fits = [&](int size) { return paragraph_height(finding.sentence, text_font(size), box.width()) <= box.height(); };
    const std::array sizes{17, 15, int{metrics::text}};
    const auto largest = std::find_if(sizes.begin(), sizes.end(), fits);
    painter.setFont(text_font(largest == sizes.end() ? metrics::small_text : *largest));
    painter.setPen(theme.ink);
    draw_paragraph(painter, box, Qt::AlignLeft | Qt::AlignTop, finding.sentence);
}

/// What the fills stand for.
void paint_key(QPainter& painter, const TheatreModel& model, const QRectF& box, const Theme& theme) {
    const QFont font = text_font(metrics::small_text);
    painter.setFont(font);
    double x = box.left();
    // A block's barrier opens when all have come: who is not at it any more has gone on.
    const QString elsewhere = model.op == simt::Op::barrier ? tr("has gone on") : tr("still on its way");
    const std::pair<QString, QColor> entries[] = {{tr("does this step"), theme.ink}, {tr("waits"), theme.ink3}, {elsewhere, theme.fill}};
    for (const auto& [words, colour] : entries) {
        const double width = TextMetrics(font).horizontalAdvance(words);
        if (x + 16 + width > box.right()) return;
        painter.fillRect(QRectF(x, box.center().y() - 5, 10, 10), colour);
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(x + 16, box.top(), width + 2, box.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += width + 36;
    }
}

} // namespace

void paint_meeting(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    if (g.memory.isNull()) return;
    if (!g.memory_head.isNull()) {
        painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
        painter.setPen(theme.ink2);
        draw_text(painter, g.memory_head, Qt::AlignLeft | Qt::AlignVCenter, p.model.shuffles ? tr("Whose value each lane gets") : tr("The block's threads"));
        painter.setFont(text_font(metrics::text - 1));
        const QString words = p.model.shuffles ? QString() : barrier_words(p.model);
        const double width = TextMetrics(painter.font()).horizontalAdvance(words), height = std::round(TextMetrics(painter.font()).capHeight()), base = g.memory_head.center().y() + height / 2;
        if (!words.isEmpty()) paint_provenance(painter, {g.memory_head.right() - width - provenance_width(Provenance::counted, height), base}, Provenance::counted, height, theme.ink2);
        draw_text(painter, QPointF(g.memory_head.right() - width, base), words);
    }
    const TheatreFinding* found = p.secret ? nullptr : p.model.found_here();
    const bool missed = p.sparse && found && p.model.op == simt::Op::fault; // then a class reads what was asked for
    if (p.model.shuffles) paint_shuffle(painter, p, g.memory, theme);
    else if (missed) paint_missed(painter, *found, g.memory, theme);
    else paint_block(painter, p, g.memory, theme);
    if (!p.sparse && (p.model.shuffles || g.memory_foot.height() < 1)) return;
    if (!p.sparse) return paint_key(painter, p.model, QRectF(g.memory_foot.left(), g.memory_foot.top(), g.memory_foot.width(), 18), theme);
    painter.setFont(text_font(17, QFont::Bold)); // which a class sees about twice as large
    painter.setPen(theme.ink);
    QString words = p.model.op == simt::Op::barrier ? barrier_words(p.model) : missed ? tr("lane %1").arg(p.model.shown_lane) : lanes_words(p.model);
    const TextMetrics fm(painter.font());
    if (p.model.op == simt::Op::barrier && fm.horizontalAdvance(words) > g.memory_foot.width()) words = barrier_words(p.model, true);
    if (found) {
        painter.setPen(theme.fault);
        draw_text(painter, g.memory_foot, Qt::AlignLeft | Qt::AlignVCenter, class_words(*found, painter.font(), g.memory_foot.width() - fm.horizontalAdvance(words) - 16));
    } else if (!p.model.shuffles) {
        painter.setPen(theme.ink2);
        painter.setFont(text_font(17));
        draw_text(painter, g.memory_foot, Qt::AlignLeft | Qt::AlignVCenter, tr("The block's warps"));
    }
    painter.setFont(text_font(17, QFont::Bold));
    painter.setPen(theme.ink);
    draw_text(painter, g.memory_foot, Qt::AlignRight | Qt::AlignVCenter, words);
}

} // namespace gradus
