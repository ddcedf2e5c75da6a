#pragma once

#include "views/probabilities/probability_picture.hpp"
#include "views/theme/value_card.hpp"

#include <QString>

namespace gradus {

/// How logits, probabilities and their gradient are written, once for painting, hover and screen readers.
namespace probability_words {

QString tr(const char* text);
/// "class 2".
QString class_name(std::size_t i);
/// The name of the whole row as the Run has it: "z", "p", "dz".
QString tensor_of(ProbabilityQuantity quantity);
/// What it is: the logits are what the walk moves, and so its parameters.
Role role_of(ProbabilityQuantity quantity);
/// As it is written: "z", "p", "∂z".
QString symbol_of(ProbabilityQuantity quantity);
/// Of one class: "∂z₂".
QString symbol_of(ProbabilityQuantity quantity, std::size_t i);
/// What stands above a row of bars: "p = softmax(z)".
QString title_of(ProbabilityQuantity quantity);
/// "logit of class 2".
QString meaning_of(ProbabilityQuantity quantity, std::size_t i);
/// "0.448"; "✕ NaN" where it is not finite.
QString number(double value);
/// With two decimals: "0.45"; what is above 0 and would be 0.00 is "<0.01".
QString short_number(double value);
/// "(0.231, 0.629, 0.14)", each with three digits, or with two decimals.
QString triple(const std::vector<double>& values, bool short_numbers = false);
/// "L = −ln p₀ = 1.46"; empty where the right class or the loss is not known.
QString loss_text(const ProbabilityRow& row);

/// The card of one bar; `with_dp`: the gradient at the probability may be told.
std::vector<ValueCardLine> bar_card(const ProbabilityPicture& picture, ProbabilityQuantity quantity, std::size_t i, bool with_dp);
std::vector<ValueCardLine> point_card(const ProbabilityPicture& picture);
std::vector<ValueCardLine> arrow_card(const ProbabilityPicture& picture);
std::vector<ValueCardLine> step_card(const ProbabilityPicture& picture);
std::vector<ValueCardLine> corner_card(const ProbabilityPicture& picture, std::size_t i);
std::vector<ValueCardLine> loss_card(const ProbabilityRow& row);

} // namespace probability_words

} // namespace gradus
