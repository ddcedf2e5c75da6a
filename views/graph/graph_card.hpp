#pragma once

#include "views/graph/graph_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// One line of the card that hovering shows: a number with where it comes from, or text alone.
struct CardLine {
    QString text;
    bool number = false; ///< set in the mono face
    Provenance provenance = Provenance::computed;
    bool says_provenance = false;
};

std::vector<CardLine> card_lines(const GraphModel& model, const GraphValues* values, const GraphItem& item);

/// Paints the card beside `item`, inside `bounds`.
void paint_card(QPainter& painter, const std::vector<CardLine>& lines, const QRectF& item, const QRectF& bounds,
                const Theme& theme);

} // namespace gradus
