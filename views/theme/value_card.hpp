#pragma once

#include "engine/trace/provenance.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <QString>
#include <vector>

namespace gradus {

/// One line of the card that hovering shows; the first line of a card is its title.
struct ValueCardLine {
    QString text = {};
    bool number = false;          ///< set in the mono face
    QString source = {};             ///< the provenance in a word, at the right edge; empty: none
    Provenance provenance = Provenance::computed;
};

/// A line with a number and where it comes from.
ValueCardLine value_line(const QString& text, Provenance provenance = Provenance::computed);

/// Paints the card beside `item`, inside `bounds`; text that is wider than those is cut with an ellipsis.
void paint_value_card(QPainter& painter, const std::vector<ValueCardLine>& lines, const QRectF& item, const QRectF& bounds,
                      const Theme& theme);

} // namespace gradus
