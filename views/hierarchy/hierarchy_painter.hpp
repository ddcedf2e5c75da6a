#pragma once

#include "views/hierarchy/hierarchy_geometry.hpp"
#include "views/hierarchy/hierarchy_model.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <algorithm>

namespace gradus {

/// Everything that stands in a picture of the hierarchy.
struct HierarchyPicture {
    HierarchyModel model;
    HierarchyGeometry geometry;
    TilesGeometry tiles;  ///< in place of bars and rungs, where the model has tiles and they have room
    bool sparse = false;  ///< for a class
    bool charted = false; ///< the bars of the rungs are there
    bool moving() const { return model.tiles && std::any_of(tiles.pictures.begin(), tiles.pictures.end(), [](const QRectF& each) { return !each.isNull(); }); }
};

void lay_out_hierarchy(HierarchyPicture& picture, const QRectF& area, bool sparse);
/// What the bounds mean, below the rows; where tiles move, what their pictures mean.
QString hierarchy_foot(const HierarchyPicture& picture);
/// A rung's bar in a row: as high as its bytes are of the most that any rung has there; null where it has none. Its number stands above it,
/// where all of the row's have room.
QRectF rung_bar(const HierarchyPicture& picture, std::size_t row, std::size_t rung);
void paint_hierarchy(QPainter& painter, const HierarchyPicture& picture, const Theme& theme);

} // namespace gradus
