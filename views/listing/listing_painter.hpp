#pragma once

#include "views/listing/listing_geometry.hpp"
#include "views/listing/listing_model.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Everything that stands in a picture of a listing.
struct ListingPicture {
    ListingModel model;
    ListingGeometry geometry;
    int type = 13; ///< pixels, of the code
};

/// What the lines of the model need in type of that size.
ListingRoom room_of(const ListingModel& model, int type);
/// In the largest type in which all of it fits, else the lines that are told of, else in the smallest; in class (`told_only`) in the largest in
/// which these are whole.
void lay_out_listing(ListingPicture& picture, const QRectF& area, bool told_only);

/// Which lines there is no room for: "lines 1–11"; empty where all are there.
QString missing_lines(const ListingPicture& picture);

void paint_listing(QPainter& painter, const ListingPicture& picture, const Theme& theme, bool sparse, bool alone);

} // namespace gradus
