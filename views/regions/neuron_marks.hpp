#pragma once

#include "views/regions/region_geometry.hpp"

#include <QLineF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace gradus {

/// A neuron's line inside the plane, in pixels; nothing where it does not cross it.
std::optional<QLineF> place_line(const NeuronLine& line, const PlaneSquare& square, const RegionGeometry& geometry);

/// A neuron's line with what stands at it, all of it inside the plane.
struct NeuronMark {
    std::size_t neuron = 0;
    QLineF line;
    std::optional<QLineF> arrow; ///< from the line to where the neuron is positive; nothing where the plane has no room for it
    QRectF name;                 ///< never on its own line
};

/// One for each line that crosses the plane. Arrow and name stand where they are farthest from points, from other lines, the
/// boundary's too, and from each other; `name`: the size of a name.
std::vector<NeuronMark> place_neuron_marks(const RegionField& field, const RegionGeometry& geometry, const QSizeF& name);

/// What of the plane is taken: by points with their rings, and by what dots of lines cover.
std::vector<QRectF> boxes_of_points(const RegionField& field, const RegionGeometry& geometry);
std::vector<QRectF> boxes_of_boundary(const RegionField& field, const RegionGeometry& geometry);
/// Of all neurons' lines but one.
std::vector<QRectF> boxes_of_lines(const RegionField& field, const RegionGeometry& geometry, std::size_t but);

QRectF box_around(QPointF centre, QSizeF size);
/// How far apart two boxes lie, pixels; 0 where they touch.
double gap_between(const QRectF& a, const QRectF& b);

} // namespace gradus
