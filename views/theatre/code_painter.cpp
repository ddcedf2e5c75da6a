// The kernel's source, with what each line costs.
#include "views/theatre/theatre_painter.hpp"
#include "views/theatre/theatre_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/polyline.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gradus {

namespace {

using theatre_words::tr;

constexpr double most_transfers = 32; // of one request of 4 bytes a lane: a bar is full

/// A bar of each access, its ideal share grey and the excess full ink, and the counts: "1+8", each bold that is more than it must be.
void paint_counts(QPainter& painter, const std::vector<LineAccess>& accesses, const QRectF& box, int type, const Theme& theme) {
    if (box.isNull() || accesses.empty()) return;
    const QFont plain = mono_font(type - 1), bold = mono_font(type - 1, QFont::Bold);
    const TextMetrics fm(plain);
    const double base = box.center().y() + fm.capHeight() / 2;
    double words = 0;
    for (auto access = accesses.rbegin(); access != accesses.rend(); ++access) {
        const bool more = access->transfers > access->ideal;
        const QString count = count_text(access->each()), plus = access + 1 == accesses.rend() ? QString() : QStringLiteral("+");
        for (const auto& [text, font, ink] : {std::tuple(count, more ? bold : plain, more ? theme.ink : theme.ink2), std::tuple(plus, plain, theme.ink2)}) {
            words += TextMetrics(font).horizontalAdvance(text);
            painter.setFont(font);
            painter.setPen(ink);
            draw_text(painter, QPointF(box.right() - words, base), text);
        }
    }
    const double room = box.width() - words - 6, height = std::round(fm.capHeight());
    if (room < 20) return;
    double x = box.left();
    const double unit = room / (most_transfers * static_cast<double>(accesses.size()));
    for (const LineAccess& access : accesses) {
        const double all = std::max(2.0, std::min(access.each(), most_transfers) * unit), ideal = access.each() > 0 ? all * std::min(1.0, access.ideal_each() / access.each()) : all;
        const double top = std::round(box.center().y() - height / 2);
        painter.fillRect(QRectF(x, top, std::max(1.5, ideal), height), theme.ink3);
        if (all > ideal + 0.5) painter.fillRect(QRectF(x + ideal, top, all - ideal, height), theme.ink);
        x += all + 3;
    }
}

void paint_column_head(QPainter& painter, const QRectF& head, const QRectF& column, const QString& words, const QColor& mark, const Theme& theme) {
    if (column.isNull()) return;
    const QFont font = text_font(metrics::small_text);
    const TextMetrics fm(font);
    painter.fillRect(QRectF(column.left(), head.center().y() - 5, 4, 10), mark);
    painter.setFont(font);
    painter.setPen(theme.ink2);
    draw_text(painter, QRectF(column.left() + 9, head.top(), column.width() - 9, head.height()), Qt::AlignLeft | Qt::AlignVCenter, fm.elidedText(words, Qt::ElideRight, column.width() - 9));
}

/// From which column on a line is shown: all of it, or so that the access under way is in sight.
qsizetype first_column(const QString& line, std::int32_t column, const TextMetrics& fm, double width) {
    if (column < 1 || fm.horizontalAdvance(line.left(column + 16)) <= width) return 0;
    const auto fit = static_cast<qsizetype>(width / fm.horizontalAdvance(QStringLiteral("0")));
    return std::clamp<qsizetype>(column - fit / 2, 0, std::max<qsizetype>(0, line.size() - fit + 2));
}

/// The word that the access begins with: "a_tile" of "a_tile[threadIdx.y][k]".
qsizetype end_of_word(const QString& line, qsizetype at) {
    while (at < line.size() && (line[at].isLetterOrNumber() || line[at] == '_')) ++at;
    return at;
}

/// The bracket that is still open before a place; -1: none is.
qsizetype open_bracket_before(const QString& line, qsizetype at) {
    int closed = 0;
    while (--at >= 0) {
        if (line[at] == ']' || line[at] == ')') ++closed;
        else if ((line[at] == '[' || line[at] == '(') && closed-- == 0) return at;
    }
    return -1;
}

/// Where the name of the access at a column, from 0, begins: a compiler may point at the "x" of "tile[threadIdx.y][threadIdx.x]".
qsizetype begin_of_access(const QString& line, qsizetype at) {
    if (at < 1 || line[at - 1] != '.') return at;
    qsizetype begin = open_bracket_before(line, at);
    if (begin < 0 || line[begin] != '[') return at;
    while (begin > 0 && line[begin - 1] == ']') begin = open_bracket_before(line, begin - 1);
    while (begin > 0 && (line[begin - 1].isLetterOrNumber() || line[begin - 1] == '_')) --begin;
    return begin < 0 || line[begin] == '[' ? at : begin;
}

/// The comment behind a line of code is quieter than the code. `column`: where the access under way begins, from 1; 0: nowhere.
void paint_line(QPainter& painter, const QString& whole, const QRectF& box, const QFont& font, bool here, std::int32_t column, const Theme& theme) {
    const TextMetrics fm(font);
    const double base = box.center().y() + fm.capHeight() / 2;
    const qsizetype from = first_column(whole, column, fm, box.width());
    const QString line = from > 0 ? QStringLiteral("…") + whole.mid(from + 1) : whole;
    if (column > from && column <= whole.size()) {
        const qsizetype begin = begin_of_access(line, column - 1 - from), end = std::max(begin + 1, end_of_word(line, begin));
        const double left = box.left() + fm.horizontalAdvance(line.left(begin)), right = box.left() + fm.horizontalAdvance(line.left(end));
        painter.fillRect(QRectF(left, std::round(base + 3), right - left, 2), theme.ink);
    }
    const QString shown = fm.elidedText(line, Qt::ElideRight, box.width());
    const qsizetype comment = shown.indexOf(QLatin1String("//"));
    painter.setFont(font);
    painter.setPen(here || comment != 0 ? theme.ink : theme.ink2);
    draw_text(painter, QPointF(box.left(), base), without_ligatures(comment < 0 ? shown : shown.left(comment)));
    if (comment < 0) return;
    painter.setPen(theme.ink2);
    draw_text(painter, QPointF(box.left() + fm.horizontalAdvance(shown.left(comment)), base), without_ligatures(shown.mid(comment)));
}

} // namespace

void paint_code(QPainter& painter, const TheatrePicture& p, const Theme& theme) {
    const TheatreGeometry& g = p.geometry;
    if (g.rows.empty()) return;
    if (!g.code_head.isNull()) {
        paint_column_head(painter, g.code_head, g.rows.front().sectors, tr("sectors"), theme.memory[3], theme);
        paint_column_head(painter, g.code_head, g.rows.front().wavefronts, tr("wavefronts"), theme.memory[1], theme);
        const QFont font = text_font(metrics::small_text);
        const double height = std::round(TextMetrics(font).capHeight());
        const double left = g.rows.front().text.left();
        paint_provenance(painter, {left, g.code_head.center().y() + height / 2}, Provenance::counted, height, theme.ink2);
        const double mark = provenance_width(Provenance::counted, height), counts = g.rows.front().sectors.isNull() ? g.rows.front().wavefronts.left() : g.rows.front().sectors.left(),
                     room = (counts > 0 ? counts - 10 : g.code_head.right()) - left - mark;
        painter.setFont(font);
        painter.setPen(theme.ink2);
        draw_text(painter, QRectF(left + mark, g.code_head.top(), room, g.code_head.height()), Qt::AlignLeft | Qt::AlignVCenter,
                  TextMetrics(font).elidedText(tr("per request, counted in the source"), Qt::ElideRight, room));
    }
    for (const TheatreGeometry::CodeRow& row : g.rows) {
        const TheatreLine& line = p.model.code[static_cast<std::size_t>(row.line) - 1];
        const bool here = row.line == p.model.line && p.model.block;
        if (here) { // the cursor's mark on code; above the steps one stands on none of the lines
            const QRectF band = row.rect.adjusted(0, row.goes_on ? -1 : 0, 0, 0); // no seam where its line goes on
            painter.fillRect(band, theme.fill);
            if (p.model.at_step) painter.fillRect(QRectF(band.left(), band.top(), p.sparse ? 4 : 2, band.height()), theme.ink);
        }
        if (row.number.width() > 0) {
            const QFont font = mono_font(p.type - 1);
            painter.setFont(font);
            const bool found = line.finding >= 0 && !p.secret;
            painter.setPen(found ? theme.fault : theme.ink2);
            const TextMetrics fm(font);
            QString number = found ? QStringLiteral("✕ %1").arg(row.line) : QString::number(row.line);
            if (constexpr double bar = 4; fm.horizontalAdvance(number) + bar > row.number.right() - row.rect.left()) number.remove(' '); // beside the cursor's mark
            draw_text(painter, QPointF(row.number.right() - fm.horizontalAdvance(number), row.rect.center().y() + fm.capHeight() / 2), number);
        }
        const bool at_step = here && p.model.at_step, access = at_step && p.model.column > row.from && p.model.column <= row.to;
        paint_line(painter, line.text.mid(row.from, row.to - row.from), row.text, mono_font(p.type, at_step ? QFont::DemiBold : QFont::Normal), here,
                   access ? p.model.column - static_cast<std::int32_t>(row.from) : 0, theme);
        paint_counts(painter, line.sectors, row.sectors, p.type, theme);
        paint_counts(painter, line.wavefronts, row.wavefronts, p.type, theme);
    }
    for (std::size_t i = 1; i < g.rows.size(); ++i)
        if (g.rows[i].line > g.rows[i - 1].line + 1) draw_dots(painter, g.rows[i].rect.left(), g.rows[i].rect.right(), g.rows[i].rect.top(), theme.ink2);
}

} // namespace gradus
