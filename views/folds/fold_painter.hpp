#pragma once

#include "views/folds/fold_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// The sizes that the words of a chain need in the fonts of now. `button`: what stands on the button.
FoldSizes fold_sizes(const std::vector<ChainStep>& chain, const QString& button);

/// All but what the pointer is over.
void paint_folds(QPainter& painter, const FoldPicture& picture, const FoldGeometry& geometry, const QString& button, const Theme& theme);

} // namespace gradus
