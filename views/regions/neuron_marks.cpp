#include "views/regions/neuron_marks.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double arrow_length = 11, beside = 3, inset = 3; // pixels: from an arrow or a line to a name, from the plane's edge
constexpr int tried_places = 20; // tried along a line
constexpr double clear = 8; // pixels from a point's ring

/// Towards the side where the neuron is positive, in pixels, one long.
QPointF positive_side(const NeuronLine& line) {
    const double length = std::hypot(line.w1, line.w2);
    return {line.w1 / length, -line.w2 / length}; // y grows downwards on the screen
}

/// From the middle of a box to the last of it in that direction.
double reach(QSizeF size, QPointF along) { return std::abs(along.x()) * size.width() / 2 + std::abs(along.y()) * size.height() / 2; }

/// From the disc that a point's box holds, its ring with it; 0 where it touches it.
double gap_to_disc(const QRectF& box, const QRectF& disc) {
    const QPointF c = disc.center();
    return std::max(0.0, gap_between(box, QRectF(c, QSizeF(0, 0))) - disc.width() / 2);
}
double gap_to_disc(const QLineF& arrow, const QRectF& disc) {
    const QPointF c = disc.center() - arrow.p1(), along = arrow.p2() - arrow.p1();
    const double share = std::clamp(QPointF::dotProduct(c, along) / QPointF::dotProduct(along, along), 0.0, 1.0);
    const QPointF away = c - share * along;
    return std::max(0.0, std::hypot(away.x(), away.y()) - disc.width() / 2 - 2); // its head is broader than it
}

QRectF box_of(const QLineF& arrow) { return QRectF(arrow.p1(), arrow.p2()).normalized().adjusted(-2, -2, 2, 2); }

struct Place {
    QPointF foot;
    QRectF name;
    double room = -1; ///< to the nearest of what is there; -1: nothing is inside
    bool arrow = true;
};

/// The foot from which arrow and name are inside the plane and farthest from all that is there. The name stands before the
/// arrow's head or, from behind, on the other side of the line.
Place freest(const QLineF& line, QPointF along, QSizeF size, bool behind, bool arrow, const std::vector<QRectF>& points, const std::vector<QRectF>& taken,
             const QRectF& plot) {
    const QRectF inside = plot.adjusted(inset, inset, -inset, -inset);
    const double away = (behind ? 0 : arrow ? arrow_length : 0) + beside + reach(size, along);
    Place best;
    double farthest = -1; // from the centres, where boxes are equally far apart
    for (int share = 1; share < tried_places; ++share) {
        Place place{line.pointAt(share / static_cast<double>(tried_places)), {}, 1e9, arrow};
        place.name = box_around(place.foot + along * (behind ? -away : away), size);
        const QLineF shaft(place.foot, place.foot + along * arrow_length);
        if (!inside.contains(place.name) || (arrow && !inside.contains(shaft.p2()))) continue;
        double centres = 1e9;
        for (const QRectF& point : points) {
            place.room = std::min(place.room, gap_to_disc(place.name, point));
            if (arrow) place.room = std::min(place.room, gap_to_disc(shaft, point));
            centres = std::min(centres, QLineF(place.name.center(), point.center()).length());
        }
        for (const QRectF& other : taken) {
            place.room = std::min(place.room, gap_between(place.name, other));
            if (arrow) place.room = std::min(place.room, gap_between(box_of(shaft), other));
            centres = std::min(centres, QLineF(place.name.center(), other.center()).length());
        }
        if (std::pair(place.room, centres) <= std::pair(best.room, farthest)) continue;
        best = place;
        farthest = centres;
    }
    return best;
}

void append(std::vector<QRectF>& to, const std::vector<QRectF>& more) { to.insert(to.end(), more.begin(), more.end()); }

} // namespace

QRectF box_around(QPointF centre, QSizeF size) { return {centre - QPointF(size.width() / 2, size.height() / 2), size}; }

double gap_between(const QRectF& a, const QRectF& b) {
    const double x = std::max({0.0, a.left() - b.right(), b.left() - a.right()}), y = std::max({0.0, a.top() - b.bottom(), b.top() - a.bottom()});
    return std::sqrt(x * x + y * y); // of pixels: std::hypot() would take several times as long
}

std::optional<QLineF> place_line(const NeuronLine& line, const PlaneSquare& square, const RegionGeometry& geometry) {
    const double steep = std::max(std::abs(line.w1), std::abs(line.w2));
    if (!(steep > 0) || !std::isfinite(steep) || !std::isfinite(line.b)) return std::nullopt;
    // Where it crosses the square's four sides, two of which it does if any.
    const double right = square.left + square.size, top = square.bottom + square.size, near = square.size * 1e-9;
    std::vector<QPointF> ends;
    const auto add = [&](double x, double y) {
        if (!(x >= square.left - near && x <= right + near && y >= square.bottom - near && y <= top + near)) return;
        const QPointF end = geometry.at(square, x, y);
        if (ends.empty() || QLineF(ends.front(), end).length() > 1) ends.push_back(end);
    };
    for (const double x : {square.left, right}) add(x, -(line.w1 * x + line.b) / line.w2); // not finite: no crossing
    for (const double y : {square.bottom, top}) add(-(line.w2 * y + line.b) / line.w1, y);
    if (ends.size() < 2) return std::nullopt;
    return QLineF(ends[0], ends[1]);
}

std::vector<QRectF> boxes_of_points(const RegionField& field, const RegionGeometry& geometry) {
    std::vector<QRectF> out;
    for (std::size_t i = 0; i < field.points.size(); ++i) {
        const bool wrong = field.predicted[i] != field.points.labels[i];
        const double side = 2 * geometry.mark + (wrong ? 13 : 6); // its ring, and a thread of surface
        out.push_back(box_around(geometry.at(field.square, field.points.x[2 * i], field.points.x[2 * i + 1]), {side, side}));
    }
    return out;
}

std::vector<QRectF> boxes_of_boundary(const RegionField& field, const RegionGeometry& geometry) {
    constexpr std::size_t dots = 64; // more would cost more than they tell
    std::vector<QRectF> out;
    for (std::size_t i = 0; i < field.boundary.size(); i += std::max<std::size_t>(1, field.boundary.size() / dots)) {
        const ContourPiece& piece = field.boundary[i];
        out.push_back(box_around(geometry.at(field.square, field.grid.left + (piece.x0 + 0.5) * field.grid.cell, field.grid.bottom + (piece.y0 + 0.5) * field.grid.cell), {3, 3}));
    }
    return out;
}

std::vector<QRectF> boxes_of_lines(const RegionField& field, const RegionGeometry& geometry, std::size_t but) {
    std::vector<QRectF> out;
    for (std::size_t h = 0; h < field.neurons.size(); ++h)
        if (const auto line = place_line(field.neurons[h], field.square, geometry); line && h != but)
            for (int part = 0; part <= 16; ++part) out.push_back(box_around(line->pointAt(part / 16.0), {3, 3}));
    return out;
}

std::vector<NeuronMark> place_neuron_marks(const RegionField& field, const RegionGeometry& geometry, const QSizeF& name) {
    std::vector<NeuronMark> out;
    const std::vector<QRectF> points = boxes_of_points(field, geometry);
    std::vector<QRectF> there = boxes_of_boundary(field, geometry);
    for (std::size_t h = 0; h < field.neurons.size(); ++h) {
        const auto line = place_line(field.neurons[h], field.square, geometry);
        if (!line) continue;
        std::vector<QRectF> taken = there;
        append(taken, boxes_of_lines(field, geometry, h));
        const QPointF along = positive_side(field.neurons[h]);
        Place place;
        for (const auto& [behind, arrow] : {std::pair(false, true), std::pair(true, true), std::pair(false, false), std::pair(true, false)}) {
            if (place.room >= clear || (!arrow && place.room >= 0)) break; // over something rather than without its arrow
            if (const Place other = freest(*line, along, name, behind, arrow, points, taken, geometry.plot); other.room > place.room) place = other;
        }
        NeuronMark mark{h, *line, {}, {}};
        if (place.room >= 0) {
            mark.name = place.name;
            there.push_back(mark.name);
            if (place.arrow) mark.arrow = QLineF(place.foot, place.foot + along * arrow_length);
            if (mark.arrow) there.push_back(box_of(*mark.arrow));
        }
        out.push_back(mark);
    }
    return out;
}

} // namespace gradus
