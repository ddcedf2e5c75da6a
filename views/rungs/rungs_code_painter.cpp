// The source of both rungs: what stays is quiet, what went or came has a sign, and in a changed line the words that differ are marked.
#include "views/rungs/rungs_painter.hpp"
#include "views/rungs/rungs_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/polyline.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using rungs_words::tr;

QString sign_of(SourceRow::Kind kind) {
    switch (kind) {
    case SourceRow::Kind::same: return {};
    case SourceRow::Kind::changed: return QStringLiteral("~");
    case SourceRow::Kind::removed: return QChar(0x2212);
    case SourceRow::Kind::added: return QStringLiteral("+");
    }
    return {};
}

/// "32+1", bold where it is more than it must be; behind a mark in the colour of its memory. Ends at `right`; gives where it begins.
double paint_count(QPainter& painter, const std::vector<LineAccess>& accesses, double right, double base, const QColor& mark, const RungsPicture& p, const Theme& theme) {
    if (accesses.empty()) return right;
    QString text;
    bool more = false;
    for (const LineAccess& access : accesses) {
        text += (text.isEmpty() ? QString() : QStringLiteral("+")) + count_text(access.each());
        more |= access.transfers > access.ideal;
    }
    const QFont font = mono_font(p.type, more ? QFont::Bold : QFont::Normal);
    const TextMetrics fm(font);
    const double left = right - fm.horizontalAdvance(text), height = std::round(fm.capHeight());
    painter.setFont(font);
    painter.setPen(more ? theme.ink : theme.ink2);
    draw_text(painter, QPointF(left, base), text);
    painter.fillRect(QRectF(left - 7, std::round(base - height), 4, height), mark);
    return left - 7 - 5;
}

/// The parts of a piece of the line that differ, as far as they lie in it.
void paint_words(QPainter& painter, const std::vector<TextSpan>& words, const TextSpan& piece, QPointF base, const RungsPicture& p, const Theme& theme) {
    for (const TextSpan& word : words) {
        const std::size_t begin = std::max(word.begin, piece.begin), end = std::min(word.end, piece.end);
        if (begin >= end) continue;
        const QRectF box(base.x() + static_cast<double>(begin - piece.begin) * p.digit, base.y() + 3, static_cast<double>(end - begin) * p.digit, p.sparse ? 3 : 2);
        painter.fillRect(box, theme.ink);
    }
}

void paint_line(QPainter& painter, const RungsPicture& p, const RungsGeometry::Cell& cell, bool here, double line, const Theme& theme) {
    const RungSide& side = p.model.sides[static_cast<std::size_t>(cell.side)];
    const SourceRow& row = (*p.model.rows)[cell.row];
    const QString whole = (*side.code)[static_cast<std::size_t>(cell.line)].text;
    const bool same = row.kind == SourceRow::Kind::same;
    const QFont font = mono_font(p.type, same && !here ? QFont::Normal : QFont::Medium);
    const TextMetrics fm(font);
    const qsizetype comment = whole.indexOf(QLatin1String("//"));
    painter.setFont(font);
    for (std::size_t i = 0; i < cell.pieces.size(); ++i) {
        const TextSpan& piece = cell.pieces[i];
        const double left = cell.text.left() + (i ? cell.rest : cell.first);
        const double base = cell.rect.top() + (static_cast<double>(i) + 0.5) * line + fm.capHeight() / 2;
        const QString text = whole.mid(static_cast<qsizetype>(piece.begin), static_cast<qsizetype>(piece.end - piece.begin));
        const qsizetype code = comment < 0 ? text.size() : std::clamp<qsizetype>(comment - static_cast<qsizetype>(piece.begin), 0, text.size());
        const bool cut = i + 1 == cell.pieces.size() && piece.end < static_cast<std::size_t>(shown_text(whole, p.comments).size());
        painter.setPen(same && !here ? theme.ink2 : theme.ink);
        draw_text(painter, QPointF(left, base), without_ligatures(cut ? text.chopped(1) + QChar(0x2026) : text.left(code)));
        if (code < text.size() && !cut) {
            painter.setPen(theme.ink2);
            draw_text(painter, QPointF(left + static_cast<double>(code) * p.digit, base), without_ligatures(text.mid(code)));
        }
        paint_words(painter, cell.side == 0 ? row.left_words : row.right_words, piece, {left, base}, p, theme);
    }
}

} // namespace

void paint_rungs_code(QPainter& painter, const RungsPicture& p, const Theme& theme) {
    const RungsGeometry& g = p.geometry;
    for (const RungsGeometry::Cell& cell : g.cells) {
        const RungSide& side = p.model.sides[static_cast<std::size_t>(cell.side)];
        const SourceRow& row = (*p.model.rows)[cell.row];
        const RungSide& twin = p.model.sides[static_cast<std::size_t>(1 - cell.side)];
        const bool own = side.line >= 0 && side.line == cell.line, also = cell.both && twin.line >= 0 && twin.line == (cell.side == 0 ? row.right : row.left);
        const bool here = own || also, drives = (own && side.drives) || (also && twin.drives);
        const double line = cell.sign.height(), base = cell.rect.top() + line / 2 + TextMetrics(mono_font(p.type)).capHeight() / 2;
        if (here) {
            painter.fillRect(cell.rect, theme.fill);
            if (p.model.at_step) { // where the cursor is; the side that keeps up has the edge in pieces
                const double width = p.sparse ? 4 : 2, piece = drives ? cell.rect.height() : 3;
                for (double y = cell.rect.top(); y < cell.rect.bottom() - 0.5; y += 2 * piece) painter.fillRect(QRectF(cell.rect.left(), y, width, std::min(piece, cell.rect.bottom() - y)), theme.ink);
            }
        }
        const QFont bold = mono_font(p.type, QFont::Bold);
        painter.setFont(bold);
        painter.setPen(theme.ink);
        const QString letter = g.beside || cell.both ? QString() : letter_of(static_cast<std::size_t>(cell.side)); // where they stand in one column
        draw_text(painter, QPointF(cell.sign.left(), base), p.sparse ? letter : letter + sign_of(row.kind));
        if (cell.number.width() > 0) {
            const QFont small = mono_font(p.type);
            const QString number = QString::number((*side.code)[static_cast<std::size_t>(cell.line)].number);
            painter.setFont(small);
            painter.setPen(theme.ink2);
            draw_text(painter, QPointF(cell.number.right() - TextMetrics(small).horizontalAdvance(number), base), number);
        }
        paint_line(painter, p, cell, here && p.model.at_step, line, theme);
        const RungLine& code = (*side.code)[static_cast<std::size_t>(cell.line)];
        const double left = paint_count(painter, code.wavefronts, cell.counts.right() - 4, base, theme.memory[1], p, theme);
        paint_count(painter, code.sectors, left, base, theme.memory[3], p, theme);
    }
    const QFont small = text_font(metrics::small_text);
    const TextMetrics fm(small);
    painter.setFont(small);
    double end = g.area.left(); // of the code
    for (const RungsGeometry::Cell& cell : g.cells) end = std::max(end, cell.rect.right());
    for (const double y : g.gaps) draw_dots(painter, g.area.left(), end, y, theme.ink2);
    if (!g.more.isNull()) {
        painter.setPen(theme.ink2);
        draw_text(painter, g.more, Qt::AlignLeft | Qt::AlignVCenter, left_out_words(g.left_out));
    }
    if (g.legend.isNull()) return;
    // From the right: what the marks in front of the counts mean; then where they come from.
    double right = g.legend.right() - 4;
    const double base = g.legend.center().y() + fm.capHeight() / 2, height = std::round(fm.capHeight());
    painter.setPen(theme.ink2);
    for (const auto& [words, mark] : {std::pair{tr("wavefronts"), theme.memory[1]}, {tr("sectors"), theme.memory[3]}}) {
        right -= fm.horizontalAdvance(words);
        draw_text(painter, QPointF(right, base), words);
        painter.fillRect(QRectF(right - 7, base - height, 4, height), mark);
        right -= 7 + 12;
    }
    const QString words = tr("per request, counted in the source");
    const double left = right - fm.horizontalAdvance(words) - provenance_width(Provenance::counted, height);
    if (left < g.legend.left()) return;
    draw_text(painter, QPointF(right - fm.horizontalAdvance(words), base), words);
    paint_provenance(painter, {left, base}, Provenance::counted, height, theme.ink2);
}

} // namespace gradus
