#include "views/attention/attention_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double gap = 8, column_gap = 20; // pixels
constexpr double least_grid = 60, widest_grid = 0.5; // of the area's width
constexpr double least_strip = 40, widest_strip = 420;
constexpr double memory_box = 2.4, widest_box = 150; // lines high, pixels wide
constexpr double closest_lines = 0.85;                // of a line's usual height, rather than a row of bytes less
constexpr double least_upper = 0.36;                 // height over width that the grid and the rows need

/// Boxes with names, where a tile is wide enough for one.
void lay_boxes(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room) {
    if (counts.keys < 1 || counts.rows < 1) return;
    const double wide = static_cast<double>(counts.keys) * out.cell, high = static_cast<double>(counts.rows) * out.cell;
    constexpr double between = 2;
    if (wide - 2 * between >= room.key_width)
        for (std::int64_t first = 0; first < counts.length; first += counts.keys) {
            const QRectF part = out.part(0, 1, first, std::min(first + counts.keys, counts.length));
            out.key_boxes.push_back(QRectF(part.left() + between, out.key_strip.top(), part.width() - 2 * between, out.key_strip.height()));
        }
    if (high - 2 * between >= room.line)
        for (std::int64_t first = 0; first < counts.length; first += counts.rows) {
            const QRectF part = out.part(first, std::min(first + counts.rows, counts.length), 0, 1);
            out.query_boxes.push_back(QRectF(out.query_strip.left(), part.top() + between, out.query_strip.width(), part.height() - 2 * between));
        }
}

void lay_grid(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& body, double widest) {
    const double left = room.box_width + gap / 2, top = room.box + gap / 2, legend = room.line + gap;
    const bool with_legend = body.height() - top - legend >= least_grid;
    double side = std::min(widest - left, body.height() - top - (with_legend ? legend : 0));
    if (side < least_grid || counts.length < 1) return;
    const double whole = std::floor(side / static_cast<double>(counts.length)); // whole pixels where that loses little
    if (whole >= 2 && whole * static_cast<double>(counts.length) >= 0.85 * side) side = whole * static_cast<double>(counts.length);
    out.grid = QRectF(std::round(body.left() + left), std::round(body.top() + top), std::floor(side), std::floor(side));
    out.cell = out.grid.width() / static_cast<double>(counts.length);
    out.key_strip = {out.grid.left(), body.top(), out.grid.width(), room.box};
    out.query_strip = {body.left(), out.grid.top(), room.box_width, out.grid.height()};
    if (with_legend) out.legend = {out.grid.left(), out.grid.bottom() + gap, out.grid.width(), room.line};
    lay_boxes(out, counts, room);
}

/// So many lines of bytes, the last ones, each `line` high, with all columns or with the few that say enough alone.
double lay_table(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& column, double bottom, std::size_t lines, double line) {
    const double height = static_cast<double>(lines + 2) * line;
    if (lines == 0 || bottom - height < column.top() - 0.5) return bottom;
    const double top = bottom - height, left = column.left() + room.name;
    std::size_t columns = std::max<std::size_t>(counts.table_columns, 1);
    if (column.width() - room.name < room.bytes * static_cast<double>(columns)) columns = counts.least_columns;
    const double pitch = columns > 0 ? std::min((column.width() - room.name) / static_cast<double>(columns), room.bytes * 1.6) : 0;
    if (pitch < room.bytes) return bottom;
    out.table_title = {column.left(), top, column.width(), line};
    for (std::size_t i = 0; i <= lines; ++i)
        out.table.push_back({column.left(), top + static_cast<double>(i + 1) * line, std::min(column.width(), room.name + pitch * static_cast<double>(columns)), line});
    for (std::size_t i = 0; i < columns; ++i) out.columns.push_back(left + pitch * static_cast<double>(i + 1));
    return top - gap * 1.5;
}

/// The tiles in shared memory, in so many columns; as high as they are then.
double memory_height(const AttentionCounts& counts, const AttentionRoom& room, std::size_t columns) {
    const auto lines = static_cast<double>((counts.memory + columns - 1) / columns);
    return room.line + lines * (memory_box * room.line + gap / 2);
}

void lay_memory(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& place, std::size_t columns) {
    const double width = std::min((place.width() - gap * static_cast<double>(columns - 1)) / static_cast<double>(columns), widest_box);
    out.memory_title = {place.left(), place.top(), place.width(), room.line};
    for (std::size_t i = 0; i < counts.memory; ++i)
        out.memory.push_back({place.left() + static_cast<double>(i % columns) * (width + gap),
                              place.top() + room.line + gap / 2 + static_cast<double>(i / columns) * (memory_box * room.line + gap / 2), width, memory_box * room.line});
}

/// Bytes and shared memory below all the rest, where that leaves the grid as large as it would be; as high as they are then.
double lay_band(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& body) {
    const double table = room.name + room.bytes * static_cast<double>(counts.table_columns), left = body.width() - table - column_gap;
    const std::size_t columns = left >= room.bytes * 1.5 * static_cast<double>(counts.memory) ? std::max<std::size_t>(counts.memory, 1) : 2;
    if (counts.table_rows == 0 || counts.table == 0 || (counts.memory > 0 && left < room.bytes * 3)) return 0;
    const double memory = counts.memory > 0 ? memory_height(counts, room, columns) : 0;
    const double height = std::max(static_cast<double>(counts.table + 2) * room.line, memory);
    if (body.height() - height - 2 * gap < least_upper * body.width()) return 0;
    const double wide = counts.memory > 0 ? std::min(table * 1.25, body.width() - column_gap - std::max(room.bytes * 3, left * 0.6)) : table * 1.25;
    lay_table(out, counts, room, QRectF(body.left(), body.bottom() - height, std::max(table, wide), height), body.bottom() - height + static_cast<double>(counts.table + 2) * room.line, counts.table, room.line);
    const double x = body.left() + std::max(table, wide) + column_gap;
    if (counts.memory > 0) lay_memory(out, counts, room, QRectF(x, body.bottom() - height, body.right() - x, height), columns);
    return height + 2 * gap;
}

/// All bytes of launches without tiles below the grid, closely if need be, or in its place: they are what such a view is about. Returns what
/// stays for the grid.
QRectF lay_ledger(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& body) {
    const double width = room.name + room.bytes * static_cast<double>(counts.table_columns), grid = room.box + gap / 2 + least_grid;
    const auto lines = static_cast<double>(counts.table + 2);
    const double line = std::clamp((body.height() - grid - 2 * gap) / lines, room.line * closest_lines, room.line), height = lines * line;
    if (counts.table_rows > 0 || counts.table == 0 || width > body.width() || height > body.height()) return body;
    const bool alone = height + 2 * gap + grid > body.height();
    const double all = alone ? std::min(body.height(), lines * room.line) : height;
    lay_table(out, counts, room, body, alone ? body.top() + all : body.bottom(), counts.table, all / lines);
    return alone ? QRectF() : body.adjusted(0, 0, 0, -height - 2 * gap);
}

/// From which on rows are shown: round the one in focus and those that the step touches; where they do not fit, round the one that somebody has
/// singled out, else round those.
std::size_t first_row(const AttentionCounts& counts, std::size_t fit) {
    std::size_t from = counts.focus, until = counts.focus + 1;
    if (counts.last_here > counts.first_here && !counts.chosen) {
        from = std::min(from, counts.first_here), until = std::max(until, counts.last_here);
        if (until - from > fit) from = counts.first_here, until = counts.last_here;
        if (until - from > fit) from = std::clamp(counts.focus, from, until - 1), until = from + 1;
    }
    const std::size_t middle = (from + until) / 2;
    return std::min(middle > fit / 2 ? middle - fit / 2 : 0, counts.table_rows - fit);
}

void lay_rows(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& column, double bottom) {
    const double lines = std::floor((bottom - column.top()) / room.line);
    if (lines < 2 || counts.table_rows == 0) return;
    std::size_t fit = std::min(counts.table_rows, static_cast<std::size_t>(lines) - 1);
    const bool more = fit < counts.table_rows && fit > 2;
    fit -= more;
    const std::size_t first = first_row(counts, fit);
    if (more) out.rows_more = {column.left(), column.top() + static_cast<double>(fit + 1) * room.line, column.width(), room.line};
    const double strip = std::min(column.width() - room.query - 3 * (room.number + gap) - gap, widest_strip);
    const auto lay = [&](double top) {
        AttentionGeometry::Row row;
        double x = column.left();
        const auto take = [&](double width) {
            const QRectF rect(x, top, width, room.line);
            x += width + gap;
            return rect;
        };
        row.query = take(room.query), row.max = take(room.number), row.sum = take(room.number), row.factor = take(room.number);
        if (strip >= least_strip) row.strip = QRectF(x, top + 2, strip, room.line - 4), x += strip;
        row.rect = QRectF(column.left(), top, std::min(x, column.right()) - column.left(), room.line);
        return row;
    };
    out.rows_head = {column.left(), column.top(), column.width(), room.line};
    for (std::size_t i = 0; i < fit; ++i) {
        out.rows.push_back(lay(column.top() + static_cast<double>(i + 1) * room.line));
        out.rows.back().row = first + i;
    }
}

/// A few lines about one row; before it has met a tile, what is in shared memory instead.
double lay_told(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, double bottom) {
    const QRectF& column = out.summary;
    for (const std::size_t columns : {std::size_t{2}, counts.memory}) {
        const double share = counts.capacity ? room.line / 2 + gap : 0, height = memory_height(counts, room, std::max<std::size_t>(columns, 1)) + share, least = room.bytes + gap; // of a box: "v_tile" has room
        if (counts.memory == 0 || counts.told || column.width() < (least + gap) * static_cast<double>(columns) - gap || height > bottom - column.top()) continue;
        lay_memory(out, counts, room, column.adjusted(0, share, 0, 0), columns);
        out.memory_title.moveTop(column.top());
        if (share > 0) out.memory_share = {column.left(), column.top() + room.line + gap / 2, column.width(), room.line / 2};
        return column.top() + height;
    }
    const double pitch = std::min(1.5 * room.line, (bottom - column.top()) / static_cast<double>(std::max<std::size_t>(counts.summary, 1)));
    double y = column.top();
    for (std::size_t i = 0; i < counts.summary && pitch >= room.line && y + room.line <= column.bottom(); ++i, y += pitch) out.summary_lines.push_back({column.left(), y, column.width(), room.line});
    return y;
}

void lay_class(AttentionGeometry& out, const AttentionCounts& counts, const AttentionRoom& room, const QRectF& area) {
    out.sign = room.sign;
    lay_grid(out, counts, room, area, area.width() * widest_grid);
    const double left = out.grid.isNull() ? area.left() : out.grid.right() + 2 * column_gap;
    out.summary = {left, area.top(), area.right() - left, area.height()};
    if (counts.keys < 1 && out.summary.width() < room.bar) { // of scores without tiles there is no more to be told
        out.summary = {};
        return lay_grid(out, counts, room, area, area.width());
    }
    double bars = counts.bars > 0 && out.summary.width() >= room.bar ? static_cast<double>(counts.bars) * 2 * room.line + room.line : 0;
    if (area.height() - bars - column_gap < static_cast<double>(std::max<std::size_t>(counts.summary, 1)) * room.line) bars = 0; // what is told of a row comes first
    double y = lay_told(out, counts, room, area.bottom() - bars - column_gap) + column_gap;
    if (bars == 0 || y + bars > area.bottom()) return;
    out.bars_title = {left, y, out.summary.width(), room.line};
    y += room.line;
    for (std::size_t i = 0; i < counts.bars; ++i, y += 2 * room.line) out.bars.push_back({left, y, out.summary.width(), 2 * room.line});
}

} // namespace

QRectF AttentionGeometry::part(std::int64_t first, std::int64_t last, std::int64_t from, std::int64_t to) const {
    const auto at = [this](std::int64_t number) { return cell * static_cast<double>(number); };
    return QRectF(QPointF(grid.left() + at(from), grid.top() + at(first)), QPointF(grid.left() + at(to), grid.top() + at(last)));
}

QRectF AttentionGeometry::tile(std::int64_t row_tile, std::int64_t key_tile, const AttentionCounts& counts) const {
    return part(row_tile * counts.rows, std::min((row_tile + 1) * counts.rows, counts.length), key_tile * counts.keys, std::min((key_tile + 1) * counts.keys, counts.length));
}

std::pair<std::int64_t, std::int64_t> AttentionGeometry::element_at(QPointF point, std::int64_t length) const {
    if (!grid.contains(point) || cell <= 0) return {-1, -1};
    const auto number = [&](double from, double to) { return std::clamp<std::int64_t>(static_cast<std::int64_t>((to - from) / cell), 0, length - 1); };
    return {number(grid.top(), point.y()), number(grid.left(), point.x())};
}

AttentionGeometry lay_out_attention(const AttentionCounts& counts, const AttentionRoom& room, bool sparse, const QRectF& area) {
    AttentionGeometry out;
    out.area = area;
    if (counts.length < 1 || area.width() < 2 * least_grid || area.height() < least_grid) return out;
    if (sparse) {
        lay_class(out, counts, room, area);
        return out;
    }
    const double head = std::max(room.line, room.button);
    double x = area.left();
    if (room.button > 0) {
        out.previous = {x, area.top(), room.button, room.button};
        out.next = {x + room.button + 4, area.top(), room.button, room.button};
        x = out.next.right() + gap;
    }
    out.headline = {x, area.top(), area.right() - x, head};
    QRectF body = area.adjusted(0, head + gap, 0, 0);
    const bool beside = area.width() >= 2 * (room.query + 3 * room.number);
    const double band = beside ? lay_band(out, counts, room, body) : 0;
    body.setBottom(body.bottom() - band);
    const double least_table = room.name + room.bytes * static_cast<double>(counts.least_columns) + column_gap; // beside a grid that is seen well
    const bool narrow_table = !beside && counts.least_columns > 0 && area.width() - least_table >= 2 * least_grid;
    if (!beside && !narrow_table) body = lay_ledger(out, counts, room, body);
    lay_grid(out, counts, room, body, beside ? area.width() * widest_grid : narrow_table ? area.width() - least_table : area.width());
    if (narrow_table && !out.grid.isNull()) {
        const double left = out.grid.right() + column_gap;
        lay_table(out, counts, room, {left, out.grid.top(), area.right() - left, body.bottom() - out.grid.top()}, std::min(body.bottom(), out.grid.top() + static_cast<double>(counts.table + 2) * room.line), counts.table, room.line);
        const double below = out.table.empty() ? out.grid.top() : out.table.back().bottom() + 1.5 * gap; // in place of rows
        out.sign = room.sign;
        out.summary = {left, below, area.right() - left, body.bottom() - below};
        for (std::size_t i = 0; i < counts.summary && below + static_cast<double>(i + 1) * room.line <= body.bottom(); ++i)
            out.summary_lines.push_back({left, below + static_cast<double>(i) * room.line, out.summary.width(), room.line});
    }
    if (!beside) return out;
    const double left = out.grid.isNull() ? area.left() : out.grid.right() + column_gap;
    const QRectF column(left, body.top(), area.right() - left, body.height());
    double bottom = body.bottom();
    if (band == 0 && counts.table_rows == 0) { // nothing else is to be told
        const double line = std::clamp(column.height() / static_cast<double>(counts.table + 2), room.line * closest_lines, room.line);
        const auto fit = static_cast<std::size_t>(std::max(0.0, std::floor(column.height() / line + 1e-9) - 2));
        const std::size_t lines = std::min(counts.table, fit);
        bottom = lay_table(out, counts, room, column, column.top() + static_cast<double>(lines + 2) * line, lines, line);
    }
    else if (band == 0) {
        const double rows = 4 * room.line; // that are seen in any case
        if (column.height() - static_cast<double>(counts.table + 3) * room.line >= rows) bottom = lay_table(out, counts, room, column, bottom, counts.table, room.line);
        const double memory = memory_height(counts, room, std::max<std::size_t>(counts.memory, 1)) + gap;
        if (counts.memory > 0 && bottom - memory - column.top() >= rows && column.width() >= room.bytes * static_cast<double>(counts.memory)) {
            lay_memory(out, counts, room, QRectF(column.left(), bottom - memory + gap, column.width(), memory - gap), counts.memory);
            bottom -= memory + gap;
        }
    }
    lay_rows(out, counts, room, column, bottom);
    return out;
}

} // namespace gradus
