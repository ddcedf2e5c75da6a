#pragma once

#include "engine/trace/derive/objective_curve.hpp"

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

namespace gradus {

/// What of the objective's units the plot shows.
struct ValleyRange {
    double left = -1, right = 1, bottom = 0, top = 1;
    bool operator==(const ValleyRange&) const = default;
};

/// The sizes of what is written round the plot, in pixels.
struct ValleyText {
    double line = 15;   ///< height of a line
    double number = 30; ///< width of the widest number at the upright axis
    double across = 10, up = 30; ///< of the axes' names
};

/// Where plot, axes and numbers lie, and how data become pixels.
struct ValleyGeometry {
    QRectF plot;
    QRectF readouts;   ///< above the plot: a line or two of numbers
    QRectF across_name, up_name; ///< the axes' names, beyond the axes' ends and clear of their numbers; null where those have no room
    bool axes = false; ///< whether there is room for their numbers
    bool labels = false; ///< whether there is room for words inside the plot
    double lane = 0;   ///< below a parabola's axis, for the number of the update's arrow
    double ring = 7;   ///< radius of the cursor's ring
    double shaft = 10; ///< of an arrow uphill beyond that ring, at least
    double head = 9;   ///< length of an arrow's head
    double dot = 2;    ///< of an earlier step
    double point = 2.5; ///< of a data point
    double stroke = 1; ///< what a line's width is multiplied by
    ValleyRange range;

    QPointF at(double x, double y) const;
    QPointF from(QPointF pixel) const; ///< the place under a pixel
    bool holds(QPointF pixel) const; ///< no place that is not finite

    /// A piece of the line of that slope through a place, equally long on both sides of it.
    QLineF tangent(double w, double f, double slope) const;
    /// Along the axis from w to where the update leads, cut at the plot's edges.
    QLineF update(double w, double next) const;
    /// Uphill in the plane; where the walk starts, ‖∂w‖ = `first`, it is 0.15 of the plot's shorter side, so that it fits the
    /// range, elsewhere in proportion, and never longer than 0.4 or than the plot, nor so short that the ring covers it.
    QLineF uphill(double w1, double w2, double g1, double g2, double first) const;
    /// To the edge beyond which a pixel lies; nothing where it is inside or nowhere.
    std::optional<QLineF> beyond(QPointF pixel) const;
    /// Where words of a size stand beside a point of a parabola: on the outer side of the curve if there is room; near the bottom
    /// above it, inside the curve.
    QRectF beside(QPointF place, QSizeF size) const;
    /// Where the name of an arrow stands: before its tip or beside it, inside the plot and on none of `taken`; null where it has no room.
    QRectF name_of(const QLineF& arrow, QSizeF size, const std::vector<QRectF>& taken) const;
};

/// The boxes that an arrow of that width takes up.
std::vector<QRectF> boxes_of(const QLineF& arrow, double half);

/// `large`: for the back row of a class. The range is to be set then.
ValleyGeometry lay_out_valley(const QRectF& area, ObjectiveConstants::Kind kind, const ValleyText& text, int rows, bool large);

/// How far a bowl or a parabola reaches beyond where the walk starts, at most so far from 0 along one axis: the arrow uphill
/// has room in the bowl.
double room_beyond(ObjectiveConstants::Kind kind);

/// Around 0, one unit equally long both ways, `reach` along the plot's shorter side.
ValleyRange bowl_range(const QRectF& plot, double reach);

/// Round numbers inside [from, until], at most `most`.
std::vector<double> round_ticks(double from, double until, int most);

/// A number without digits that a pixel cannot tell.
double without_idle_digits(double value, double per_pixel);

} // namespace gradus
