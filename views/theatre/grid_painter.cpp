// The blocks of a launch, and the threads of one of them.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/paragraph.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using theatre_words::tr;

/// The threads of one block, of which the grid shows which it is; its first warp in full.
void paint_threads(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    if (g.threads.empty()) return;
    const double inset = g.threads.front().width() >= 5 ? 0.75 : 0.25;
    for (std::size_t thread = 0; thread < g.threads.size(); ++thread)
        painter.fillRect(g.threads[thread].adjusted(inset, inset, -inset, -inset), thread < 32 ? theme.ink : theme.ink3);
    painter.setFont(text_font(p.sparse ? metrics::text : metrics::small_text));
    painter.setPen(theme.ink);
    const QString block = tr("block %1").arg(block_at(p.model, static_cast<std::int64_t>(g.enlarged))), warp = tr("warp %1").arg(0);
    draw_text(painter, g.enlarged_label, Qt::AlignLeft | Qt::AlignVCenter, g.first_warp.isNull() ? block + QStringLiteral(", ") + warp : block);
    if (!g.first_warp.isNull()) draw_text(painter, g.first_warp, Qt::AlignLeft | Qt::AlignVCenter, warp);
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
    if (g.blocks_left_out) words += QStringLiteral(". ") + tr("Blocks that have no room here: %1.").arg(grouped(g.blocks_left_out));
    painter.setFont(p.sparse ? text_font(17, QFont::Bold) : text_font(metrics::text)); // which a class sees about twice as large
    painter.setPen(theme.ink);
    if (p.sparse) return draw_text(painter, g.memory_foot, Qt::AlignRight | Qt::AlignVCenter, words);
    draw_paragraph(painter, g.memory_foot, Qt::AlignLeft | Qt::AlignTop, words);
}

} // namespace gradus
