#pragma once

#include "views/regions/region_field.hpp"

#include <QPointF>
#include <QRectF>
#include <vector>

namespace gradus {

constexpr double key_row_height = 20; // pixels

/// Where the plane, its axes and its legend lie. The plane is always a square.
struct RegionGeometry {
    QRectF plot;
    QRectF legend;     ///< null where there is no room
    QRectF key;        ///< rows that name the marks, where there is room for no more; else null
    QRectF scale;      ///< the map's colours with numbers beside it, where there is a key; else null
    bool axes = false; ///< whether there is room for their numbers
    bool counts = true; ///< whether the legend says how many points there are of each
    bool neurons = true; ///< whether their lines are drawn
    double mark = 3;   ///< half a point's size, pixels

    QPointF at(const PlaneSquare& square, double x, double y) const;
    /// The coordinates under a pixel.
    QPointF from(const PlaneSquare& square, QPointF pixel) const;
    /// The point whose mark is under a pixel, the nearest of several; -1 where there is none.
    int point_at(const RegionField& field, QPointF pixel) const;
};

/// Where there are few points their marks are larger.
RegionGeometry lay_out_regions(const QRectF& area, std::size_t points = 100);

/// Cells across the plane: blocks of 2 pixels, of 8 while it plays.
int cells_for(const RegionGeometry& geometry, bool playing);

/// Round numbers inside [from, from + size], at most `most`.
std::vector<double> axis_ticks(double from, double size, int most);

/// A coordinate without digits that a pixel cannot tell.
double rounded_to_pixel(double value, double per_pixel);

} // namespace gradus
