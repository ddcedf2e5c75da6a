#pragma once

#include "views/regions/region_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QImage>
#include <QPainter>

namespace gradus {

/// One pixel per cell: two classes as a signed map round their boundary, more as tints of ink.
QImage region_image(const RegionField& field, const Theme& theme);

/// The plane and its boundary alone.
void paint_plane(QPainter& painter, const RegionField& field, const RegionGeometry& geometry, const Theme& theme);

/// Plane, boundary, points, axes and legend. `without` is a point that is being dragged, -1: none.
void paint_regions(QPainter& painter, const RegionField& field, const RegionGeometry& geometry, const Theme& theme,
                   int without);
/// A point's mark: its class by shape, a ring round it where the net says another class.
void paint_point(QPainter& painter, QPointF centre, double half, int label, bool wrong, const Theme& theme);

} // namespace gradus
