#pragma once

#include "views/text/formula_layout.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Draws a formula with its origin, the left end of its baseline, at that point. What has no meaning of its own is
/// in `ink`.
void paint_formula(QPainter& painter, const FormulaLayout& formula, QPointF origin, const Theme& theme,
                   const QColor& ink);

} // namespace gradus
