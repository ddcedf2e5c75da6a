// The blocks of a launch, and the threads of one of them.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Theatre", text); }

/// The threads of one block, warp by warp, the first in full, and from which block they are.
void paint_threads(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    if (g.threads.empty()) return;
    const double inset = g.threads.front().width() >= 5 ? 0.75 : 0.25;
    for (std::size_t thread = 0; thread < g.threads.size(); ++thread) {
        const std::size_t warp = thread / 32;
        painter.fillRect(g.threads[thread].adjusted(inset, inset, -inset, -inset), warp == 0 ? theme.ink : warp % 2 ? theme.line : theme.ink3);
    }
    if (g.first_warp.isNull()) return;
    painter.setFont(text_font(p.sparse ? metrics::text : metrics::small_text));
    painter.setPen(theme.ink);
    draw_text(painter, g.first_warp, Qt::AlignLeft | Qt::AlignVCenter, tr("warp %1").arg(0));
}

/// From the block to its threads, as far as no other block is in between.
void paint_rays(QPainter& painter, const TheatreGeometry& g, const Theme& theme) {
    if (g.threads.empty()) return;
    const QRectF& from = g.blocks[g.enlarged];
    double right = 0;
    for (const QRectF& block : g.blocks) right = std::max(right, block.right());
    painter.save();
    painter.setClipRect(QRectF(right, g.grid.top(), g.grid.right() - right, g.grid.height()), Qt::IntersectClip);
    painter.setPen(QPen(theme.ink3, 1));
    painter.drawLine(from.topRight(), g.threads.front().topLeft() - QPointF(4, 0));
    painter.drawLine(from.bottomRight(), g.threads.back().bottomLeft() - QPointF(g.threads.back().left() - g.threads.front().left() + 4, 0));
    painter.restore();
}

} // namespace

void paint_grid(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    std::vector<bool> recorded(g.blocks.size());
    std::int64_t all = 0;
    for (const KernelLog::Block& block : p.model.events->trace().log.blocks) {
        if (block.launch != p.model.launch) continue;
        ++all;
        if (block.number < recorded.size()) recorded[block.number] = true;
    }
    if (!g.memory_head.isNull()) {
        painter.setFont(text_font(metrics::text - 1, QFont::DemiBold));
        painter.setPen(theme.ink2);
        draw_text(painter, g.memory_head, Qt::AlignLeft | Qt::AlignVCenter, tr("The grid"));
        painter.setFont(text_font(metrics::text - 1));
        draw_text(painter, g.memory_head, Qt::AlignRight | Qt::AlignVCenter, tr("recorded: %1").arg(all));
    }
    const double side = g.blocks.empty() ? 0 : g.blocks.front().width(), inset = side >= 14 ? 1.5 : 0.5;
    const QFont font = mono_font(side >= 34 ? 13 : metrics::small_text);
    const QString last = g.blocks.empty() ? QString() : block_at(p.model, static_cast<std::int64_t>(g.blocks.size()) - 1); // the longest
    const bool numbered = TextMetrics(font).horizontalAdvance(last) + 2 <= side - 2 * inset;
    paint_rays(painter, g, theme);
    for (std::size_t block = 0; block < g.blocks.size(); ++block) {
        if (g.blocks[block].isNull()) continue;
        const bool enlarged = !g.threads.empty() && block == g.enlarged;
        const QRectF box = g.blocks[block].adjusted(inset, inset, -inset, -inset);
        // Those that were recorded can be walked into, and stand out from the others.
        painter.setBrush(enlarged ? theme.ink : recorded[block] ? theme.surface : theme.fill);
        painter.setPen(side >= 8 ? QPen(recorded[block] ? theme.ink : theme.line, p.sparse ? 2 : 1) : QPen(Qt::NoPen));
        if (side < 8 && recorded[block]) painter.setBrush(theme.ink);
        painter.drawRoundedRect(box, std::min(4.0, side / 6), std::min(4.0, side / 6));
        if (!numbered) continue;
        painter.setFont(font);
        painter.setPen(enlarged ? theme.surface : recorded[block] ? theme.ink : theme.ink2);
        draw_text(painter, box, Qt::AlignCenter | Qt::TextDontClip, block_at(p.model, static_cast<std::int64_t>(block)));
    }
    paint_threads(painter, p, theme);
    QString words = grid_words(p.model);
    if (g.blocks_left_out) words += QStringLiteral(" ") + tr("%1 more have no room here.").arg(g.blocks_left_out);
    painter.setFont(p.sparse ? text_font(17, QFont::Bold) : text_font(metrics::text)); // which a class sees about twice as large
    painter.setPen(theme.ink);
    if (p.sparse) return draw_text(painter, g.memory_foot, Qt::AlignRight | Qt::AlignVCenter, words);
    draw_paragraph(painter, g.memory_foot, Qt::AlignLeft | Qt::AlignTop, words);
}

} // namespace gradus
