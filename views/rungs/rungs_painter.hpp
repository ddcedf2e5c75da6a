#pragma once

#include "views/rungs/rungs_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Everything that stands in a picture of the comparison.
struct RungsPicture {
    RungsModel model;
    RungsGeometry geometry;
    int type = 12; ///< pixels, of the code
    bool sparse = false, comments = true;
    bool covered = false; ///< the counts are: nothing tells which of them has changed most
    double digit = 7; ///< width of a character of the code
};

/// Lays it out in the largest type in which all of the code has room, without its comments where they have none.
void lay_out_rungs(RungsPicture& picture, const QRectF& area, bool sparse);
void paint_rungs(QPainter& painter, const RungsPicture& picture, const Theme& theme);

/// Its part: the lines of both, what differs in them, and what they cost.
void paint_rungs_code(QPainter& painter, const RungsPicture& picture, const Theme& theme);

} // namespace gradus
