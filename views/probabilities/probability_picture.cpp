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
    constexpr double aside = 9, from_p = 12, longest = 56, least = 70; // pixels
    const auto whole = arrow();
    if (!whole || whole->length() < least) return std::nullopt;
    const QPointF along = (whole->p1() - whole->p2()) / whole->length();
    QPointF across(-along.y(), along.x());
    const QPointF centre = (geometry.corners[0] + geometry.corners[1] + geometry.corners[2]) / 3;
    const QPointF inwards = centre - whole->center();
    if (across.x() * inwards.x() + across.y() * inwards.y() < 0) across = -across; // inside the triangle
    const QPointF from = whole->p2() + along * from_p + across * aside;
    return QLineF(from, from + along * std::min(longest, 0.5 * whole->length()));
}

} // namespace gradus
