#include "views/listing/listing_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double gap = 16;         // between columns, pixels
constexpr double edge = 8;         // before the first and behind the last
constexpr double note_gap = 10;
constexpr int least_notes = 2;     // lines
constexpr double least_code = 0.6; // of the longest line that is told of: with less of it the times give way; in class all of it is read
constexpr double widest_line = 1.6; // of the lines in class, where they stand apart as far as there is room

/// Of `count` lines the first of the `fit` that are shown.
std::size_t first_shown(const std::vector<bool>& told, int here, std::size_t fit) {
    const std::size_t count = told.size();
    if (fit >= count) return 0;
    const auto begin = std::find(told.begin(), told.end(), true);
    if (begin == told.end()) return 0;
    const auto from = static_cast<std::size_t>(begin - told.begin());
    const auto until = static_cast<std::size_t>(told.rend() - std::find(told.rbegin(), told.rend(), true)); // one past the last
    if (until - from <= fit) return until >= fit ? until - fit : 0;
    const std::size_t middle = here < 0 ? from : static_cast<std::size_t>(here);
    return std::min(std::max(from, middle >= fit / 2 ? middle - fit / 2 : 0), until - fit);
}

} // namespace

const ListingGeometry::Row* ListingGeometry::row_at(QPointF point) const {
    for (const Row& row : rows)
        if (row.rect.contains(point)) return &row;
    return nullptr;
}

const ListingGeometry::Row* ListingGeometry::find(std::size_t line) const {
    for (const Row& row : rows)
        if (row.line == line) return &row;
    return nullptr;
}

ListingGeometry lay_out_listing(const std::vector<bool>& told, int here, bool told_only, const ListingRoom& room, const QRectF& area) {
    ListingGeometry out;
    out.area = area;
    if (told.empty() || room.line <= 0 || area.width() < 40 || area.height() < room.line) return out;
    double left = area.width() - 2 * edge; // for the code
    const bool any = std::find(told.begin(), told.end(), true) != told.end();
    const bool time = any && left - room.time - gap >= (told_only ? 1 : least_code) * room.told;
    if (time) left -= room.time + gap;
    const bool work = time && left - room.work - gap >= room.told;
    if (work) left -= room.work + gap;
    const bool numbers = !told_only && left - room.number - gap >= room.told;
    if (numbers) left -= room.number + gap;

    std::size_t first = 0, count = told.size();
    if (told_only && any) {
        first = static_cast<std::size_t>(std::find(told.begin(), told.end(), true) - told.begin());
        count = static_cast<std::size_t>(told.rend() - std::find(told.rbegin(), told.rend(), true)) - first;
    }
    const auto fit_in = [&](double height) { return static_cast<std::size_t>(std::max(1.0, std::floor(height / room.line))); };
    const bool head = (time || (!told_only && count > fit_in(area.height()))) && area.height() >= 3 * room.line;
    const double rows = static_cast<double>(count) + (head ? 1 : 0);
    const double pitch = told_only ? std::floor(std::clamp(area.height() / rows, room.line, widest_line * room.line)) : room.line;
    const double top = area.top() + (head ? pitch : 0);
    const std::size_t fit = std::min(count, fit_in(area.bottom() - top));
    const std::vector<bool> part(told.begin() + static_cast<std::ptrdiff_t>(first), told.begin() + static_cast<std::ptrdiff_t>(first + count));
    const std::size_t start = first + first_shown(part, here < 0 ? -1 : here - static_cast<int>(first), fit);
    for (std::size_t i = 0; i < fit; ++i) {
        ListingGeometry::Row row;
        row.line = start + i;
        row.rect = {area.left(), top + static_cast<double>(i) * pitch, area.width(), pitch};
        double x = row.rect.left() + edge;
        const auto take = [&](double width) {
            const QRectF rect(x, row.rect.top(), width, pitch);
            x += width + gap;
            return rect;
        };
        if (numbers) row.number = take(room.number);
        // The columns stand beside the code, not at the far edge of a wide view.
        row.code = take(std::min(left, std::max(room.code, room.told)));
        if (time) row.time = take(room.time);
        if (work) row.work = take(room.work);
        out.rows.push_back(row);
    }
    const ListingGeometry::Row& one = out.rows.front();
    if (head && !told_only && fit < count) {
        const double end = time ? one.time.left() - gap : one.code.right();
        out.missing = QRectF(QPointF((numbers ? one.number : one.code).left(), area.top()), QPointF(end, area.top() + room.line));
    }
    if (head && time) {
        out.head = QRectF(QPointF(one.time.left(), area.top()), QPointF((work ? one.work : one.time).right(), top));
    }
    const double foot = out.rows.back().rect.bottom() + note_gap;
    if (!told_only && room.note > 0 && area.bottom() - foot >= least_notes * room.note)
        out.notes = {area.left() + edge, foot, area.width() - 2 * edge, area.bottom() - foot};
    const auto told_lines = static_cast<std::size_t>(std::count(told.begin(), told.end(), true));
    const auto told_shown = static_cast<std::size_t>(std::count_if(out.rows.begin(), out.rows.end(), [&](const ListingGeometry::Row& row) { return told[row.line]; }));
    out.uncut = told_shown == told_lines && left >= room.told;
    out.told = out.uncut && (!any || work);
    out.whole = fit == count && left >= (told_only ? room.told : room.code) && (!any || work);
    return out;
}

} // namespace gradus
