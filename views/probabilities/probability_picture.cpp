#include "views/probabilities/probability_picture.hpp"

#include <QLineF>
#include <algorithm>
#include <cmath>

namespace gradus {

std::optional<QPointF> ProbabilityPicture::point() const {
    if (!has_triangle() || p_to_come) return std::nullopt;
    const std::array<double, 3> p = three(row.p);
    if (!std::all_of(p.begin(), p.end(), [](double share) { return std::isfinite(share); })) return std::nullopt;
    return geometry.at(p);
}

std::optional<QPointF> ProbabilityPicture::right_corner() const {
    if (!has_triangle() || row.label() < 0) return std::nullopt;
    return geometry.corners[static_cast<std::size_t>(row.label())];
}

std::optional<QLineF> ProbabilityPicture::arrow() const {
    const auto to = point(), from = right_corner();
    if (!to || !from || dz_to_come || row.dz.empty()) return std::nullopt;
    return QLineF(*from, *to);
}

std::optional<QLineF> ProbabilityPicture::step() const {
    constexpr double least = 24; // pixels: shorter ones are the step from dot to dot of the path
    const auto from = point();
    if (!from || update_to_come || row.next_z.size() != row.p.size()) return std::nullopt;
    const std::array<double, 3> next = three(softmax_of(row.next_z));
    if (!std::all_of(next.begin(), next.end(), [](double share) { return std::isfinite(share); })) return std::nullopt;
    const QLineF step(*from, geometry.at(next));
    return step.length() < least ? std::nullopt : std::optional(step);
}

QPolygonF ProbabilityPicture::step_curve() const {
    constexpr int pieces = 24;
    constexpr double bend = 0.3, least_bend = 16; // of its length; pixels
    const auto line = step();
    if (!line) return {};
    const QPointF along = (line->p2() - line->p1()) / line->length();
    QPointF across(-along.y(), along.x());
    const QPointF inwards = (geometry.corners[0] + geometry.corners[1] + geometry.corners[2]) / 3 - line->center();
    if (across.x() * inwards.x() + across.y() * inwards.y() < 0) across = -across; // inside the triangle
    const QPointF over = line->center() + across * std::max(least_bend, bend * line->length());
    QPolygonF out;
    for (int i = 0; i <= pieces; ++i) { // a parabola's arc through both ends
        const double t = static_cast<double>(i) / pieces;
        out << line->p1() * ((1 - t) * (1 - t)) + over * (2 * t * (1 - t)) + line->p2() * (t * t);
    }
    return out;
}

} // namespace gradus
