#pragma once

#include "views/folds/fold_geometry.hpp"

namespace gradus {

/// Height of what is said under the folded matrices, and of the room between the last band and them, in which arrows fall.
double fold_result_words(const FoldSizes& sizes);
double fold_result_drop(const FoldSizes& sizes);

/// How high the row of what is left is where there is `most` for it, under the rows that are placed; 0 where they do not fit beside
/// each other.
double fold_result_height(const std::vector<ChainStep>& chain, const FoldWanted& wanted, const FoldGeometry& rows, const QRectF& area, double most,
                          const FoldSizes& sizes);

/// The row of what is left at the top of `out.result`, `height` high.
void place_fold_result(const std::vector<ChainStep>& chain, const FoldWanted& wanted, FoldGeometry& out, const QRectF& area, double height,
                       const FoldSizes& sizes);

} // namespace gradus
