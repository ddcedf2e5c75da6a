#pragma once

#include "views/folds/fold_picture.hpp"
#include "views/theme/value_card.hpp"

#include <QString>

namespace gradus::fold_words {

/// Words of the view in the language of now.
QString tr(const char* text);

/// What stands for a step: "W₅", "+ b", "× 0.1", "relu".
QString step_word(const ChainStep& step);
/// A step as a person says it: "relu after W₅".
QString step_name(const std::vector<ChainStep>& chain, std::size_t step);
/// The matrices of a group: "W₁…W₅".
QString group_name(const std::vector<ChainStep>& chain, const FoldGroup& group);
/// What it folds into: "one 64×64 matrix", "one 64×64 matrix and a bias". `full` false: "64×64".
QString group_result(const FoldGroup& group, bool full);
/// How far it is from the layers it stands for: "within 2.86e−6 of the layers". `full` false: "± 2.86e−6".
QString difference(const FoldedMatrix& matrix, bool full);
/// "2 of 16 matrices are left".
QString count(const LegalFolds& folds);
/// Why no more of them fold, or that all do.
QString sentence(const std::vector<ChainStep>& chain, const LegalFolds& folds);

std::vector<ValueCardLine> step_card(const FoldPicture& picture, std::size_t step);
std::vector<ValueCardLine> folded_card(const FoldPicture& picture, std::size_t group);

} // namespace gradus::fold_words
