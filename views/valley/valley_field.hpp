#pragma once

#include "engine/trace/derive/objective_curve.hpp"

#include <QLineF>
#include <QPointF>
#include <memory>
#include <vector>

namespace gradus {

/// What is to be computed of an objective: f along w from -reach to reach, or over the plane's part around 0.
struct ValleyWish {
    ObjectiveConstants constants;
    double reach = 1;           ///< of a parabola, and of the bowl's shorter side
    double wide = 1, high = 1;  ///< how far a bowl's part reaches along w₁ and w₂
    bool operator==(const ValleyWish&) const = default;
};

/// f as it is drawn, in the units of the parameters.
struct ValleyField {
    ValleyWish wish;
    std::vector<QPointF> curve;      ///< (w, f(w)) from left to right
    std::vector<double> levels;      ///< of the contours, smallest first
    std::vector<QLineF> contours;    ///< pieces of all of them, (w₁, w₂)
    double top = 1;                  ///< f at the edge of a parabola
};

/// By the engine's kernels. Null once `outdated` is true.
std::shared_ptr<const ValleyField> valley_field(const ValleyWish& wish, const std::atomic<bool>& outdated);

/// The least of 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8 and their tens, tenths … that is not below `value`; 1 for 0.
double round_reach(double value);

} // namespace gradus
