#pragma once

#include "views/activation/activation_model.hpp"
#include "views/theme/value_card.hpp"

#include <QString>
#include <vector>

namespace gradus::activation_words {

QString tr(const char* text);
/// "ReLU": as a person writes the name of a function.
QString function_name(std::size_t op);
/// Its formula in z: "max(0, z)".
QString formula(std::size_t op);
/// "a₁[0, 8]".
QString place(const std::string& tensor, const std::vector<Dim>& index);
/// "0.448"; "✕ NaN" where it is no number.
QString number(double value);
/// "z −0.31   a 0   ∂ 0", as it stands beside a mark.
QString numbers(double z, double a, double slope);

/// What pointing at a curve says, at one z of its grid.
std::vector<ValueCardLine> curve_card(std::size_t op, const ActivationCurve& curve, std::size_t at);
/// What pointing at the Run's own point says.
std::vector<ValueCardLine> point_card(const ActivationPoint& point);

} // namespace gradus::activation_words
