#pragma once

#include "engine/trace/provenance.hpp"

#include <QPainter>

namespace gradus {

/// The width of a provenance's mark with the space after it, for text whose capitals are so high; 0 for computed,
/// which has none.
double provenance_width(Provenance provenance, double capital_height);

/// Draws the mark with its foot at `base`: measured a clock face, counted a tally of three strokes, modelled an
/// italic ƒ, cited a closing quotation mark.
void paint_provenance(QPainter& painter, QPointF base, Provenance provenance, double capital_height,
                      const QColor& colour);

/// What a provenance is called: "measured".
QString provenance_word(Provenance provenance);

} // namespace gradus
