#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <cstddef>
#include <optional>
#include <vector>

namespace gradus {

/// Where a future ends, in pixels, and how large its name is.
struct FutureEnd {
    std::size_t future = 0;
    QPointF at;
    QSizeF name;
};

/// Where a future's name stands.
struct FutureName {
    std::size_t future = 0;
    QRectF rect;
    QLineF leader; ///< from the end to the name; null where it stands beside its end
};

/// What must stay free of names.
struct FanRoom {
    QRectF plot;
    std::optional<QPointF> cursor; ///< its ring
    double ring = 7, dot = 4;      ///< radii of the ring and of an end
    std::vector<QPointF> line;     ///< the objective itself, in places closer than a name is high
};

/// Names for the future that changes nothing (`now`, -1: none is it), the first and the last, then for others whose end is
/// clear of those that are named, as long as they have room near it. Names lie inside the plot and cover neither each other
/// nor an end nor the ring nor the line; what has no such place has no name.
std::vector<FutureName> place_future_names(const std::vector<FutureEnd>& ends, int now, const FanRoom& room);

} // namespace gradus
