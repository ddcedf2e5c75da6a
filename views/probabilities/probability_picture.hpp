#pragma once

#include "engine/trace/derive/probability_row.hpp"
#include "views/probabilities/probability_geometry.hpp"

#include <QLineF>
#include <QPolygonF>
#include <optional>

namespace gradus {

/// What is on screen: the numbers, where they stand, and what people do with them.
struct ProbabilityPicture {
    struct Pull {
        std::size_t at = 0;   ///< the class
        double value = 0;     ///< of its logit now
        bool operator==(const Pull&) const = default;
    };
    ProbabilityRow row;
    std::vector<std::array<double, 3>> path; ///< of p, with three classes
    ProbabilityGeometry geometry;
    bool p_to_come = false, dz_to_come = false, update_to_come = false; ///< where one stands in the step they are not computed yet
    std::optional<double> lr;
    std::optional<Pull> pull;
    std::optional<ProbabilityQuantity> marked; ///< of the pinned bar
    std::size_t marked_class = 0;
    bool sparse = false;

    const std::vector<double>& values(ProbabilityQuantity quantity) const {
        return quantity == ProbabilityQuantity::z ? row.z : quantity == ProbabilityQuantity::p ? row.p : row.dz;
    }
    /// What a bar shows; a pulled logit follows the hand.
    double value(ProbabilityQuantity quantity, std::size_t i) const {
        return quantity == ProbabilityQuantity::z && pull && pull->at == i ? pull->value : values(quantity)[i];
    }
    bool to_come(ProbabilityQuantity quantity) const {
        return quantity == ProbabilityQuantity::p ? p_to_come : quantity == ProbabilityQuantity::dz && dz_to_come;
    }
    bool has_triangle() const { return !geometry.triangle.isNull() && row.classes() == 3; }
    std::array<double, 3> three(const std::vector<double>& values) const { return {values[0], values[1], values[2]}; }
    /// Pixels of p and of the right corner; only where there is a triangle and p is finite (and the right class known).
    std::optional<QPointF> point() const;
    std::optional<QPointF> right_corner() const;
    /// From y to p; none where p has no place or ∂z is not computed yet.
    std::optional<QLineF> arrow() const;
    /// From p to where the update takes it, softmax of the next logits: true to the triangle's scale. None where it is too
    /// short to be seen, or where one stands before the update.
    std::optional<QLineF> step() const;
    /// What step() is drawn along: bent away from the gradient's arrow, which it would cover.
    QPolygonF step_curve() const;
};

} // namespace gradus
