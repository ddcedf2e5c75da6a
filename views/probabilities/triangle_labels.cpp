#include "views/probabilities/triangle_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace gradus {

namespace {

constexpr double aside = 5, clear = 2.5; // pixels: from an arrow to its name, from a name to anything else
constexpr double named = 64; // shorter arrows have no room for a name

QRectF around(QPointF centre, QSizeF size) { return {centre - QPointF(size.width() / 2, size.height() / 2), size}; }

double reach(QSizeF size, QPointF along) { return std::abs(along.x()) * size.width() / 2 + std::abs(along.y()) * size.height() / 2; }

double gap(const QRectF& a, const QRectF& b) {
    return std::hypot(std::max({0.0, a.left() - b.right(), b.left() - a.right()}), std::max({0.0, a.top() - b.bottom(), b.top() - a.bottom()}));
}

/// What no name may stand on, as boxes: lines as many small ones.
class Taken {
public:
    void add(const QRectF& box) {
        if (!box.isNull()) boxes_.push_back(box);
    }
    void add(const QPolygonF& line, double half) {
        for (qsizetype i = 1; i < line.size(); ++i) {
            const QLineF piece(line[i - 1], line[i]);
            const int parts = std::max(1, static_cast<int>(piece.length() / 2));
            for (int k = 0; k <= parts; ++k) add(around(piece.pointAt(k / static_cast<double>(parts)), {2 * half, 2 * half}));
        }
    }
    double room(const QRectF& box) const {
        double room = 1e9;
        for (const QRectF& other : boxes_) room = std::min(room, gap(box, other));
        return room;
    }

private:
    std::vector<QRectF> boxes_;
};

QPolygonF edges(const ProbabilityGeometry& g) { return {g.corners[0], g.corners[1], g.corners[2], g.corners[0]}; }

/// Round the point, where most is free.
QRectF beside_point(QPointF at, QSizeF size, const Taken& taken, const QRectF& inside) {
    QRectF best;
    double most = -1;
    for (int k = 0; k < 16; ++k) {
        const double angle = std::numbers::pi * k / 8;
        const QPointF along(std::cos(angle), std::sin(angle));
        const QRectF box = around(at + along * (triangle_dot + 2 + reach(size, along)), size);
        const double room = inside.contains(box) ? std::min(taken.room(box), 3 * clear) : 0; // more than enough is no better
        if (room <= most) continue;
        most = room;
        best = box;
    }
    return best;
}

/// Beside the arrow, on the side that the update's curve leaves free if it can be; over an edge of the triangle rather than over
/// anything else.
QRectF beside_arrow(const QLineF& arrow, QPointF away, QSizeF size, const Taken& firm, const Taken& all, const QRectF& inside) {
    QRectF over_edge, freest;
    double most = -1;
    for (const QPointF across : {away, -away})
        for (const double share : {0.62, 0.5, 0.74, 0.38, 0.28}) {
            const QRectF box = around(arrow.pointAt(share) + across * (aside + reach(size, across)), size);
            if (!inside.contains(box)) continue;
            if (all.room(box) >= clear) return box;
            const double room = firm.room(box);
            if (room >= clear && over_edge.isNull()) over_edge = box;
            if (room <= most) continue;
            most = room;
            freest = box;
        }
    return over_edge.isNull() ? freest : over_edge;
}

/// Off the curve, as near to its middle as there is room.
QRectF beside_curve(const QPolygonF& curve, const QLineF& chord, QSizeF size, const Taken& taken, const QRectF& inside) {
    const QPointF out = curve[curve.size() / 2] - chord.center();
    const double far = std::hypot(out.x(), out.y());
    if (far < 1e-6) return {};
    for (const double away : {aside, 10.0, 16.0, 24.0})
        for (const double share : {0.5, 0.65, 0.35, 0.8, 0.2})
            for (const double turn : {0.0, 0.5, -0.5, 0.9, -0.9}) {
                const double c = std::cos(turn), s = std::sin(turn);
                const QPointF along = QPointF(out.x() * c - out.y() * s, out.x() * s + out.y() * c) / far;
                const QPointF from = curve[static_cast<qsizetype>(std::lround(share * static_cast<double>(curve.size() - 1)))];
                const QRectF box = around(from + along * (away + reach(size, along)), size);
                if (inside.contains(box) && taken.room(box) >= clear) return box;
            }
    return {};
}

} // namespace

TriangleLabels place_triangle_labels(const ProbabilityPicture& picture, const TriangleLabelSizes& sizes) {
    TriangleLabels out;
    const ProbabilityGeometry& g = picture.geometry;
    const auto arrow = picture.arrow();
    const auto step = picture.step();
    const QPolygonF curve = picture.step_curve();
    const QRectF inside = g.triangle.adjusted(-1, -1, 1, 1);
    Taken firm;
    for (const QRectF& corner : sizes.corners) firm.add(corner);
    if (arrow) firm.add(QPolygonF{arrow->p1(), arrow->p2()}, 2);
    if (curve.size() > 1) {
        firm.add(curve, 1.5);
        firm.add(around(curve.back(), {10, 10})); // its head
    }
    const auto add_dot = [&](const std::optional<QPointF>& at) {
        if (at) firm.add(around(*at, {2 * triangle_dot + 3, 2 * triangle_dot + 3}));
    };
    add_dot(picture.right_corner());
    const auto with_edges = [&](Taken taken) {
        taken.add(edges(g), 1);
        return taken;
    };
    if (const auto at = picture.point()) out.p = beside_point(*at, sizes.p, with_edges(firm), inside);
    firm.add(out.p);
    add_dot(picture.point());
    if (arrow && arrow->length() >= named) {
        const QPointF along = (arrow->p2() - arrow->p1()) / arrow->length();
        QPointF away(-along.y(), along.x());
        if (step && curve.size() > 2) {
            const QPointF bulge = curve[curve.size() / 2] - step->center();
            if (away.x() * bulge.x() + away.y() * bulge.y() > 0) away = -away;
        }
        out.dz = beside_arrow(*arrow, away, sizes.dz, firm, with_edges(firm), inside);
        firm.add(out.dz);
    }
    if (step && curve.size() > 2) out.update = beside_curve(curve, *step, sizes.update, with_edges(firm), inside);
    return out;
}

} // namespace gradus
