#include "views/state/cover_rects.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gradus {

namespace {

constexpr double in_line = 3;      // pixels: edges so near each other look like a mistake,
constexpr double in_sight = 24;    // and that of neighbours no farther apart than this
constexpr double sliver = 12;      // pixels: no cover is narrower for having made room for another
constexpr double most_more = 1.25; // a common cover may hide so much more than the two

double area(const QRectF& rect) { return rect.width() * rect.height(); }

/// Outwards onto whole pixels: a dashed edge is one pixel wide there.
QRectF on_pixels(const QRectF& rect) {
    return {QPointF(std::floor(rect.left()), std::floor(rect.top())), QPointF(std::ceil(rect.right()), std::ceil(rect.bottom()))};
}

bool are_neighbours(const QRectF& a, const QRectF& b) { return a.adjusted(-in_sight, -in_sight, in_sight, in_sight).intersects(b); }

/// Moves one edge of every cover outwards, to that of a neighbour. `outwards`: -1 for left and top, 1 for the others.
template <typename Read, typename Write>
void bring_in_line(std::vector<QRectF>& covers, double outwards, Read read, Write write) {
    const std::vector<QRectF> before = covers;
    for (std::size_t i = 0; i < covers.size(); ++i) {
        double edge = read(before[i]);
        for (const QRectF& other : before) // one step only: a flight of stairs is no line
            if (are_neighbours(before[i], other) && std::abs(read(other) - read(before[i])) <= in_line && (read(other) - edge) * outwards > 0)
                edge = read(other);
        write(covers[i], edge);
    }
}

/// Whether a whole side of one is a whole side of the other.
bool share_a_side(const QRectF& a, const QRectF& b) {
    const bool above = a.left() == b.left() && a.right() == b.right() && (a.bottom() == b.top() || b.bottom() == a.top());
    const bool beside = a.top() == b.top() && a.bottom() == b.bottom() && (a.right() == b.left() || b.right() == a.left());
    return above || beside;
}

/// `rect` without what `other` covers of it, where what is left is one rectangle; null where it is not, or a sliver.
std::optional<QRectF> beside(const QRectF& rect, const QRectF& other) {
    const bool wide = other.left() <= rect.left() && other.right() >= rect.right(), high = other.top() <= rect.top() && other.bottom() >= rect.bottom();
    QRectF left = rect;
    if (wide && other.top() <= rect.top()) left.setTop(other.bottom());
    else if (wide && other.bottom() >= rect.bottom()) left.setBottom(other.top());
    else if (high && other.left() <= rect.left()) left.setLeft(other.right());
    else if (high && other.right() >= rect.right()) left.setRight(other.left());
    else return std::nullopt;
    return std::min(left.width(), left.height()) < sliver ? std::nullopt : std::optional(left);
}

} // namespace

std::vector<QRectF> tidy_covers(std::vector<QRectF> covers) {
    std::erase_if(covers, [](const QRectF& cover) { return cover.isEmpty(); });
    for (QRectF& cover : covers) cover = on_pixels(cover);
    bring_in_line(covers, -1, [](const QRectF& r) { return r.left(); }, [](QRectF& r, double x) { r.setLeft(x); });
    bring_in_line(covers, 1, [](const QRectF& r) { return r.right(); }, [](QRectF& r, double x) { r.setRight(x); });
    bring_in_line(covers, -1, [](const QRectF& r) { return r.top(); }, [](QRectF& r, double y) { r.setTop(y); });
    bring_in_line(covers, 1, [](const QRectF& r) { return r.bottom(); }, [](QRectF& r, double y) { r.setBottom(y); });
    for (bool changed = true; changed;) { // every turn leaves fewer covers, or less that is covered twice
        changed = false;
        for (std::size_t i = 0; i < covers.size() && !changed; ++i)
            for (std::size_t k = i + 1; k < covers.size() && !changed; ++k) {
                const QRectF a = covers[i], b = covers[k], both = a.united(b);
                if (!a.intersects(b) && !share_a_side(a, b)) continue;
                changed = true;
                if (area(both) > most_more * (area(a) + area(b) - area(a.intersected(b)))) { // only where they cross
                    if (const auto rest = beside(b, a)) {
                        covers[k] = *rest;
                        continue;
                    }
                    if (const auto rest = beside(a, b)) {
                        covers[i] = *rest;
                        continue;
                    }
                }
                covers[i] = both;
                covers.erase(covers.begin() + static_cast<std::ptrdiff_t>(k));
            }
    }
    return covers;
}

} // namespace gradus
