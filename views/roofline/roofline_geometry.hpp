#pragma once

#include "views/roofline/roofline_model.hpp"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QSizeF>
#include <vector>

namespace gradus {

/// What the words of the picture need, in pixels.
struct RooflineRoom {
    double left = 60, bottom = 40, top = 4; ///< beside the plot: numbers of the axes and their names
    double line = 16;                       ///< height of a label
    double dot = 5;                         ///< radius
    std::vector<QSizeF> slopes, flats;      ///< of each roof's words
    QSizeF label;                           ///< of a dot's number
    QSizeF best;                            ///< of the words at the best intensity
};

/// Where everything lies on two axes of decades.
struct RooflineGeometry {
    struct Dot {
        QPointF measured, modelled; ///< null where there is none
        QRectF measured_label, modelled_label;
    };
    QRectF plot;
    int x_from = 0, x_to = 1, y_from = 0, y_to = 1; ///< powers of ten
    std::vector<QPolygonF> roofs; ///< slope and flat roof, within the plot
    std::vector<QRectF> slopes, flats; ///< of their words; null: no room
    std::vector<Dot> dots;
    QPointF best_top, best_bottom; ///< the line of the best intensity; null: none
    QRectF best_label;

    double x_of(double intensity) const;
    double y_of(double rate) const;
    /// The dot nearest to a point within reach; -1: none.
    int dot_at(QPointF point, double reach) const;
};

RooflineGeometry lay_out_roofline(const RooflineModel& model, const RooflineRoom& room, const QRectF& area);

} // namespace gradus
