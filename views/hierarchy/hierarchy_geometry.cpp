#include "views/hierarchy/hierarchy_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double above_foot = 10; // pixels
constexpr double least_bar = 48, widest_bar = 280, widest_rung = 140;
constexpr double chart_share = 0.62; // of what is left beside the numbers, where there are rungs
constexpr double inside_row = 6;

} // namespace

int HierarchyGeometry::rung_at(QPointF point) const {
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i].contains(point)) return static_cast<int>(i);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.rungs.size(); ++i)
            if (row.rungs[i].contains(point)) return static_cast<int>(i);
    return -1;
}

int HierarchyGeometry::row_at(QPointF point) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].rect.contains(point)) return static_cast<int>(i);
    return -1;
}

HierarchyGeometry lay_out_hierarchy(std::size_t places, std::size_t rungs, const HierarchyRoom& room, const QRectF& area) {
    HierarchyGeometry out;
    if (places == 0 || area.width() < 40 || area.height() < room.line) return out;
    const double first = area.left() + room.strip + room.gap, numbers = first + room.name + room.gap, after = numbers + room.value + 1.5 * room.gap;
    const double rest = area.right() - after;
    const bool chart = rungs > 0 && rest >= static_cast<double>(rungs) * room.rung;
    const double chart_least = std::max(chart_share * rest, static_cast<double>(rungs) * room.rung);
    const bool bar = room.bars && rest >= least_bar && (!chart || rest - 2 * room.gap - chart_least >= least_bar);
    const double bar_width = bar ? std::min(chart ? rest - 2 * room.gap - chart_least : rest, widest_bar) : 0;
    const double chart_width = chart ? std::min(rest - (bar ? bar_width + 2 * room.gap : 0), static_cast<double>(rungs) * widest_rung) : 0;

    const double least = room.line + inside_row, whole = room.line + room.small + inside_row;
    double height = area.height() - (chart ? room.label : 0);
    const auto count = static_cast<double>(places);
    const bool foot = room.foot > 0 && height - room.foot - above_foot >= count * whole;
    if (foot) height -= room.foot + above_foot;
    const bool two = room.small > 0 && height >= count * whole;
    const double pitch = std::floor(std::clamp(height / count, two ? whole : least, std::max(room.highest, whole)));
    const auto fit = std::min(places, static_cast<std::size_t>(std::max(1.0, std::floor(height / pitch))));
    const auto low = [&](std::size_t i) { return i < room.low.size() && room.low[i]; };
    const auto lows = static_cast<double>(std::count(room.low.begin(), room.low.end(), true));
    const double high = lows > 0 && lows < count ? std::floor(std::clamp((height - lows * least) / (count - lows), least, room.highest)) : pitch;
    double top = area.top();
    for (std::size_t i = 0; i < fit; ++i) {
        HierarchyGeometry::Row row;
        row.rect = {area.left(), top, area.width(), low(i) ? least : high};
        top = row.rect.bottom();
        const QRectF inner = row.rect.adjusted(0, inside_row / 2, 0, -inside_row / 2);
        row.strip = {inner.left(), inner.top(), room.strip, inner.height()};
        const double right = std::max(first, std::min(area.right(), numbers + room.value));
        row.name = QRectF(QPointF(first, inner.top()), QPointF(std::min(first + room.name, right), inner.bottom()));
        row.value = QRectF(QPointF(std::max(first, right - room.value), inner.top()), QPointF(right, inner.bottom()));
        if (row.name.right() > row.value.left()) row.name.setRight(std::max(row.name.left(), row.value.left() - room.gap / 2)); // the number is what one came for
        if (bar) row.bar = {after, inner.top(), bar_width, inner.height()};
        const double left = bar ? after + bar_width + 2 * room.gap : after;
        for (std::size_t rung = 0; chart && rung < rungs; ++rung) {
            const double slot = chart_width / static_cast<double>(rungs);
            row.rungs.push_back({left + static_cast<double>(rung) * slot, inner.top(), slot, inner.height()});
        }
        row.two_lines = two && row.rect.height() >= whole;
        out.rows.push_back(std::move(row));
    }
    const double bottom = out.rows.back().rect.bottom();
    for (const QRectF& each : out.rows.back().rungs) out.labels.push_back({each.left(), bottom, each.width(), room.label});
    if (foot) out.foot = {area.left(), bottom + (chart ? room.label : 0) + above_foot, area.width(), room.foot};
    return out;
}

} // namespace gradus
