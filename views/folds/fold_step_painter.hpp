#pragma once

#include "views/folds/fold_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Fonts and lines of the view.
struct FoldFonts {
    /// `grow`: of what stands in and between the boxes.
    explicit FoldFonts(double grow = 1);

    QFont name, between, strong_between;
    QFont word, strong, text, bold, number;
    double stroke = 1; ///< grows with the text: a class sees 2 px
};

/// How much wider than its word what stands for a step is: its margins, and before what is not linear the shape of its curve.
double fold_step_margin(const ChainStep& step, const FoldFonts& fonts);

/// What stands between two matrices. A parameter is violet, what is linear has a thin outline with corners, what is not has round
/// ends, its curve and an outline that is bold where it changes numbers; where it changed none it is dashed and struck through.
void paint_fold_step(QPainter& painter, const QRectF& rect, const FoldPicture& picture, std::size_t step, const FoldFonts& fonts, const Theme& theme);

/// What goes in, or comes out.
void paint_fold_data(QPainter& painter, const QRectF& rect, const QString& name, const Shape& shape, const FoldFonts& fonts, const Theme& theme);

/// A line with a head.
void paint_fold_arrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour, double stroke);

} // namespace gradus
