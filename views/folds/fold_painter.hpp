#pragma once

#include "views/folds/fold_geometry.hpp"
#include "views/folds/fold_matrix_painter.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// The sizes that the words of a picture need in the fonts of now. `button`: what stands on the button; `width`: of the panel.
FoldSizes fold_sizes(const FoldPicture& picture, const QString& button, double width);

/// All but what the pointer is over.
void paint_folds(QPainter& painter, const FoldPicture& picture, const FoldGeometry& geometry, const FoldImages& images, const QString& button, const Theme& theme);

} // namespace gradus
