#include "views/rungs/rungs_geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace gradus {

namespace {

constexpr double button_side = 24, ways_height = 24, chip_gap = 4, track_height = 8;
constexpr double beside_from = 620; ///< pixels: from here on two columns of code can be read
constexpr double widest_side = 760;
constexpr int least_fit = 8; ///< characters of code in a line

/// A row of the picture: rows of the model, or -1, on the left and on the right.
struct Pair {
    int left = -1, right = -1;
};

bool is_empty(const RungsModel& model, std::size_t side, int line, bool comments) {
    return line < 0 || shown_text((*model.sides[side].code)[static_cast<std::size_t>(line)].text, comments).trimmed().isEmpty();
}

bool same_counts(const std::vector<LineAccess>& a, const std::vector<LineAccess>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LineAccess& x, const LineAccess& y) { return x.each() == y.each(); });
}

/// Lines that went and lines that came stand beside each other, so that less stays empty; one above the other where there is one column.
std::vector<Pair> pairs_of(const RungsModel& model, bool beside, bool comments) {
    std::vector<Pair> out;
    std::vector<int> removed, added;
    const auto flush = [&] {
        for (std::size_t i = 0; i < std::max(removed.size(), added.size()) && beside; ++i) out.push_back({i < removed.size() ? removed[i] : -1, i < added.size() ? added[i] : -1});
        for (std::size_t i = 0; i < removed.size() && !beside; ++i) out.push_back({removed[i], -1});
        for (std::size_t i = 0; i < added.size() && !beside; ++i) out.push_back({-1, added[i]});
        removed.clear(), added.clear();
    };
    for (std::size_t i = 0; i < model.rows->size(); ++i) {
        const SourceRow& row = (*model.rows)[i];
        if (!comments && is_empty(model, 0, row.left, false) && is_empty(model, 1, row.right, false)) continue;
        const int at = static_cast<int>(i);
        if (row.kind == SourceRow::Kind::removed) removed.push_back(at);
        else if (row.kind == SourceRow::Kind::added) added.push_back(at);
        else {
            flush();
            if (beside || row.kind == SourceRow::Kind::changed) {
                if (beside) out.push_back({at, at});
                else out.push_back({at, -1}), out.push_back({-1, at});
                continue;
            }
            const RungLine &a = (*model.sides[0].code)[static_cast<std::size_t>(row.left)], &b = (*model.sides[1].code)[static_cast<std::size_t>(row.right)];
            if (same_counts(a.sectors, b.sectors) && same_counts(a.wavefronts, b.wavefronts)) out.push_back({at, at});
            else out.push_back({at, -1}), out.push_back({-1, at});
        }
    }
    flush();
    return out;
}

RungsGeometry::Cell cell_of(const RungsModel& model, const RungsRoom& room, int side, int row, const QRectF& column) {
    RungsGeometry::Cell cell;
    cell.side = side;
    cell.row = static_cast<std::size_t>(row);
    const SourceRow& source = (*model.rows)[cell.row];
    cell.line = side == 0 ? source.left : source.right;
    const bool numbers = column.width() >= 90 * room.digit;
    const double sign = 2 * room.digit, number = numbers ? 4 * room.digit : 0;
    cell.sign = {column.left() + (room.sparse ? 12 : 4), 0, sign, room.line};
    cell.number = {cell.sign.right(), 0, number, room.line};
    cell.counts = {column.right() - room.counter, 0, room.counter, room.line};
    const double left = cell.number.right() + (numbers ? 10 : 4);
    cell.text = {left, 0, std::max(room.digit, cell.counts.left() - 6 - left), room.line};
    const QString whole = shown_text((*model.sides[static_cast<std::size_t>(side)].code)[static_cast<std::size_t>(cell.line)].text, room.comments);
    qsizetype indent = 0;
    while (indent < whole.size() && whole[indent] == ' ') ++indent;
    const int shown = static_cast<int>(room.sparse ? 0 : room.comments ? indent : indent / 2), rest = room.sparse ? 2 : shown + (room.comments ? 4 : 2);
    const int fit = std::max(least_fit, static_cast<int>(cell.text.width() / room.digit));
    cell.pieces = wrapped(whole.mid(indent), std::max(least_fit, fit - shown), std::max(least_fit, fit - rest));
    for (TextSpan& piece : cell.pieces) piece.begin += static_cast<std::size_t>(indent), piece.end += static_cast<std::size_t>(indent);
    cell.first = shown * room.digit, cell.rest = rest * room.digit;
    return cell;
}

void place(RungsGeometry::Cell& cell, const QRectF& column, double top, double height) {
    cell.rect = {column.left(), top, column.width(), height};
    for (QRectF* each : {&cell.sign, &cell.number, &cell.counts}) each->moveTop(top);
    cell.text.moveTop(top);
    cell.text.setHeight(height);
}

/// From which on the code is shown: all of it, or the part in which the cursor is; it turns by half pages, so that it does not move with every
/// step.
double first_shown(double at, double all, double room) {
    if (all <= room) return 0;
    const double half = room / 2;
    return std::clamp(std::floor(at / half) * half - half / 2, 0.0, all - room);
}

/// The rows round two of them, as many on either side as have room together. `tops`: where each begins, and the last ends.
std::vector<bool> round_both(const std::vector<double>& tops, std::size_t one, std::size_t two, double room) {
    const std::size_t rows = tops.size() - 1;
    std::vector<bool> out(rows);
    double used = 0;
    const auto take = [&](std::size_t row) {
        const double height = tops[row + 1] - tops[row];
        if (out[row] || used + height > room + 0.01) return static_cast<bool>(out[row]);
        used += height;
        return static_cast<bool>(out[row] = true);
    };
    take(one), take(two);
    struct Way {
        std::size_t from;
        bool up, open = true;
    };
    std::array<Way, 4> ways{{{one, true}, {one, false}, {two, true}, {two, false}}};
    for (std::size_t away = 1; away < rows; ++away)
        for (Way& way : ways) way.open = way.open && (way.up ? way.from >= away : way.from + away < rows) && take(way.up ? way.from - away : way.from + away);
    return out;
}

void lay_code(RungsGeometry& out, const RungsModel& model, const RungsRoom& room, QRectF box) {
    if (!model.rows || box.height() < 3 * room.line) return;
    out.legend = {box.left(), box.top(), box.width(), room.label};
    box.setTop(out.legend.bottom() + 4);
    const double width = out.beside ? (box.width() - rungs_column_gap) / 2 : box.width();
    const std::array<QRectF, 2> columns{QRectF(box.left(), box.top(), width, box.height()), QRectF(out.beside ? box.right() - width : box.left(), box.top(), width, box.height())};
    std::vector<std::vector<RungsGeometry::Cell>> rows;
    std::vector<double> tops;
    double y = 0;
    std::size_t at = 0; // the row in which the cursor is, and that of the side which keeps up
    std::optional<std::size_t> other;
    const int drives = model.sides[1].drives ? 1 : 0;
    for (const Pair& pair : pairs_of(model, out.beside, room.comments)) {
        std::vector<RungsGeometry::Cell> cells;
        if (pair.left >= 0) cells.push_back(cell_of(model, room, 0, pair.left, columns[0]));
        if (pair.right >= 0 && (out.beside || pair.left < 0)) cells.push_back(cell_of(model, room, 1, pair.right, columns[1]));
        if (!out.beside && pair.left >= 0 && pair.right >= 0) cells.front().both = true;
        std::size_t lines = 1;
        for (const RungsGeometry::Cell& cell : cells) {
            lines = std::max(lines, cell.pieces.size());
            out.cut += cell.pieces.size() > 1;
            const SourceRow& row = (*model.rows)[cell.row];
            const auto stands = [&](int side) {
                const int line = model.sides[static_cast<std::size_t>(side)].line;
                return (cell.side == side || cell.both) && line >= 0 && (side == 1 ? row.right : row.left) == line;
            };
            if (stands(drives)) at = rows.size();
            if (stands(1 - drives)) other = rows.size();
        }
        tops.push_back(y);
        y += static_cast<double>(lines) * room.line;
        rows.push_back(std::move(cells));
    }
    tops.push_back(y);
    out.code_height = y;
    if (rows.empty()) return;
    const bool all = y <= box.height();
    const double bottom = all ? box.height() : box.height() - room.label, first = first_shown(tops[at], y, bottom);
    std::size_t begin = 0;
    while (!all && begin + 1 < rows.size() && tops[begin] < first - 0.01) ++begin;
    begin = std::min(begin, at); // rows may have several lines: that of the cursor is in sight
    while (begin < at && tops[at + 1] - tops[begin] > bottom) ++begin;
    std::vector<bool> shown(rows.size());
    for (std::size_t i = begin; i < rows.size() && tops[i + 1] - tops[begin] <= bottom + 0.01; ++i) shown[i] = true;
    if (other && !shown[*other]) shown = round_both(tops, at, *other, bottom); // far apart: what lies round each of them
    double top = box.top();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!shown[i]) {
            ++out.left_out;
            continue;
        }
        if (i > 0 && !shown[i - 1] && top > box.top()) out.gaps.push_back(top);
        for (RungsGeometry::Cell& cell : rows[i]) {
            place(cell, columns[static_cast<std::size_t>(cell.side)], top, tops[i + 1] - tops[i]);
            out.cells.push_back(std::move(cell));
        }
        top += tops[i + 1] - tops[i];
    }
    if (out.left_out) out.more = {box.left(), box.bottom() - room.label, box.width(), room.label};
}

/// The rungs' names, and beside them or below the ways.
double lay_head(RungsGeometry& out, const RungsModel& model, const RungsRoom& room) {
    double all = 0, ways = 0;
    for (const double width : room.chips) all += width + chip_gap;
    for (const double words : room.ways)
        if (words > 0) ways += words + 2 * button_side + rungs_gap;
    double shorter = 0;
    for (const double width : room.short_chips) shorter += width + chip_gap;
    out.short_chips = all + ways > out.area.width() && (shorter + ways <= out.area.width() || all > out.area.width());
    const bool one = (out.short_chips ? shorter : all) + ways <= out.area.width();
    double x = out.area.left(), y = out.area.top();
    const double height = ways_height - 2;
    for (const double width : out.short_chips ? room.short_chips : room.chips) {
        if (x + width > out.area.right() + 0.1) break;
        out.chips.push_back({x, y, width, height});
        x += width + chip_gap;
    }
    if (ways > 0 && model.walks()) {
        if (!one) y += ways_height + 2;
        x = one ? out.area.right() - ways + rungs_gap : out.area.left();
        for (std::size_t i = 0; i < room.ways.size(); ++i) {
            const double words = room.ways[i];
            if (words <= 0 || x + words + 2 * button_side > out.area.right() + 1) continue;
            const auto way = static_cast<RungsWay>(i);
            out.buttons.push_back({way, -1, {x, y, button_side, height}});
            out.ways.push_back({way, {x + button_side, y, words, height}});
            out.buttons.push_back({way, 1, {x + button_side + words, y, button_side, height}});
            x += words + 2 * button_side + rungs_gap;
        }
    }
    return y + ways_height - out.area.top() + 6;
}

/// For the back row: who is compared, where both are, and what it costs.
RungsGeometry lay_out_class(RungsGeometry out, const RungsModel& model, const RungsRoom& room) {
    QRectF box = out.area;
    if (model.rows && model.walks()) {
        if (box.width() < 44 * room.digit && box.height() >= 5 * room.line) { // else the names stand above
            for (std::size_t side = 0; side < 2; ++side) out.heads[side] = {box.left() + static_cast<double>(side) * box.width() / 2, box.top(), box.width() / 2, room.line};
            box.setTop(out.heads[0].bottom() + 4);
        }
        for (std::size_t side = 0; side < 2; ++side) { // one above the other, as wide as there is room
            const RungSide& shown = model.sides[side];
            for (std::size_t i = 0; i < model.rows->size(); ++i) {
                const SourceRow& row = (*model.rows)[i];
                if (shown.line < 0 || (side == 0 ? row.left : row.right) != shown.line) continue;
                RungsGeometry::Cell cell = cell_of(model, room, static_cast<int>(side), static_cast<int>(i), box);
                cell.pieces.resize(std::min<std::size_t>(cell.pieces.size(), 2));
                const double height = static_cast<double>(cell.pieces.size()) * room.line;
                if (height > box.height()) continue;
                place(cell, box, box.top(), height);
                box.setTop(box.top() + height + 6);
                out.cells.push_back(std::move(cell));
            }
        }
        const QRectF track(box.left(), box.top() + 4, box.width(), 14), progress(box.left(), track.bottom() + 4, box.width(), room.label);
        if (progress.bottom() <= box.bottom()) {
            out.track = track, out.progress = progress;
            box.setTop(progress.bottom() + 10);
        }
    }
    lay_rungs_table(out, model, room, box);
    return out;
}

} // namespace

QString shown_text(const QString& line, bool comments) {
    const qsizetype comment = comments ? -1 : line.indexOf(QLatin1String("//"));
    QString out = comment < 0 ? line : line.left(comment);
    while (!out.isEmpty() && out.back().isSpace()) out.chop(1);
    return out;
}

std::vector<TextSpan> wrapped(const QString& line, int fit, int rest) {
    const auto size = static_cast<std::size_t>(line.size());
    /// The last place in (from, to] where a word ends, or, where there is none, where a name ends before its index; `from` if neither.
    const auto last_end = [&](std::size_t from, std::size_t to) {
        for (const bool index : {false, true})
            for (std::size_t at = to; at > from; --at) {
                const QChar before = line[static_cast<qsizetype>(at) - 1], after = line[static_cast<qsizetype>(at)];
                if (index ? after == '[' : after == ' ' || before == '(' || before == ',') return at;
            }
        return from;
    };
    std::vector<TextSpan> out;
    std::size_t begin = 0;
    do {
        const auto room = static_cast<std::size_t>(out.empty() ? fit : rest);
        std::size_t end = std::min(size, begin + room);
        if (end < size) {
            const std::size_t least = begin + room / 3, word = last_end(least, end);
            if (word > least) end = word;
        }
        out.push_back({begin, end});
        begin = end;
        while (begin < size && line[static_cast<qsizetype>(begin)] == ' ') ++begin;
    } while (begin < size);
    return out;
}

RungsGeometry lay_out_rungs(const RungsModel& model, const RungsRoom& room, const QRectF& area) {
    RungsGeometry out;
    out.area = area;
    if (!model.there() || area.width() < 120 || area.height() < 3 * room.line) return out;
    if (room.sparse) return lay_out_class(out, model, room);
    QRectF box = area;
    box.setTop(box.top() + lay_head(out, model, room));
    const bool wide = box.width() >= 2 * beside_from + rungs_table_width(room) + rungs_column_gap;
    const bool missing = !model.sides[0].why.isEmpty() || !model.sides[1].why.isEmpty();
    if (missing) out.why = {box.left(), box.top(), box.width(), room.label * (model.sides[0].why.isEmpty() || model.sides[1].why.isEmpty() ? 1 : 2)}, box.setTop(out.why.bottom() + 6);
    if (model.walks() && box.height() >= 120) {
        out.progress = {box.left(), box.top(), box.width(), room.label};
        out.track = {box.left(), out.progress.bottom() + 3, box.width(), track_height};
        box.setTop(out.track.bottom() + rungs_gap);
    }
    if (wide) {
        const QRectF table(box.right() - rungs_table_width(room), box.top(), rungs_table_width(room), box.height());
        lay_rungs_table(out, model, room, table);
        box.setRight(table.left() - rungs_column_gap);
    } else {
        const double height = rungs_table_height(model, room, box.width(), model.rows ? std::max(4 * room.table, 0.42 * box.height()) : box.height());
        const QRectF table(box.left(), box.bottom() - height, box.width(), height);
        if (height > 0 && height < box.height()) {
            lay_rungs_table(out, model, room, table);
            box.setBottom(table.top() - rungs_gap);
        }
    }
    if (!model.rows || box.height() < 2 * room.label + 4 * room.line) return out;
    out.beside = box.width() >= beside_from;
    if (wide) box.setWidth(std::min(box.width(), 2 * widest_side));
    const double width = out.beside ? (box.width() - rungs_column_gap) / 2 : box.width();
    for (std::size_t side = 0; side < 2; ++side) {
        const double left = side && out.beside ? box.right() - width : box.left();
        const double top = side && !out.beside ? out.so_far[0].bottom() + 2 : box.top();
        const bool line = room.head + rungs_gap + room.so_far <= width; // in one
        out.heads[side] = {left, top, line ? room.head : width, room.label + 3};
        if (model.walks()) out.so_far[side] = line ? QRectF(left + room.head + rungs_gap, top, width - room.head - rungs_gap, room.label + 3) : QRectF(left, out.heads[side].bottom(), width, room.label);
        else out.so_far[side] = QRectF(left, out.heads[side].bottom(), 0, 0);
    }
    box.setTop(std::max(out.so_far[0].bottom(), out.so_far[1].bottom()) + 6);
    lay_code(out, model, room, box);
    return out;
}

} // namespace gradus
