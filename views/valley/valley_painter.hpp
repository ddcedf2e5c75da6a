#pragma once

#include "views/state/fan.hpp"
#include "views/theme/theme.hpp"
#include "views/valley/valley_fan.hpp"
#include "views/valley/valley_field.hpp"
#include "views/valley/valley_geometry.hpp"
#include "views/valley/valley_words.hpp"

#include <QPainter>
#include <QPolygonF>

namespace gradus {

/// Everything that one frame shows.
struct ValleyScene {
    ObjectiveConstants::Kind kind = ObjectiveConstants::Kind::parabola;
    std::shared_ptr<const ValleyField> field; ///< null while it is being computed
    ValleyWalk walk;
    std::optional<ValleyPlace> held;   ///< where the hand holds the point
    std::optional<double> landing;     ///< f where the update leads, of a parabola
    std::vector<QPointF> points;       ///< of a line
    std::vector<QPointF> line;         ///< m·x + b at each of them
    std::vector<std::vector<QPointF>> futures; ///< of a fan: one place each, of a line its two ends; empty: not there yet
    std::vector<QString> future_names;
    int chosen = -1, now = -1;   ///< of the futures: the one pointed at, the one that changes nothing

    const std::optional<ValleyPlace>& point() const { return held ? held : walk.here; }
};

/// The line through points as its two ends: at the least and the greatest x.
std::optional<QLineF> ends_of(const std::vector<QPointF>& line);

/// A readout's place; empty where there is no room for it.
std::vector<QRectF> place_readouts(const std::vector<ValleyReadout>& readouts, const QRectF& area, double line);
/// So many lines do they take, at most two.
int readout_rows(const std::vector<ValleyReadout>& readouts, double width);

QFont valley_font();
ValleyText valley_text(ObjectiveConstants::Kind kind, const ValleyRange& range);

/// Where the names of futures stand.
std::vector<FutureName> future_names(const ValleyScene& scene, const ValleyGeometry& geometry);

void paint_valley(QPainter& painter, const ValleyScene& scene, const ValleyGeometry& geometry, const Theme& theme);

} // namespace gradus
