#pragma once

#include "views/flow/flow_numbers.hpp"
#include "views/theme/value_card.hpp"

#include <QString>
#include <optional>

namespace gradus {

/// How the gradient flow is written, once for painting, hover and screen readers.
namespace flow_words {

QString tr(const char* text);
/// "layer 3" of the module "layer3".
QString layer_name(const std::string& module);
/// "∂W₂" of "dW2".
QString gradient_name(const GradientSite& site);
/// "0.448"; "✕ NaN" where it is not finite; "–" where there is none.
QString number(std::optional<double> value);
/// Six digits, for numbers that are compared: "-9.18226e-9".
QString six_digits(double value);
/// "×0.31".
QString times(double ratio);
/// "43 % zeros".
QString zeros(const LogHistogram& sizes);
/// "[3, 1]".
QString place(const std::vector<Dim>& index);
/// Of ‖∂z‖ to that of the layer after it; none where one is missing or 0.
std::optional<double> ratio_to_next(const FlowNumbers& numbers, std::size_t layer);
/// From the first layer to the last: how much is left of ‖∂z‖ when it arrives at the input.
std::optional<double> ratio_of_all(const FlowNumbers& numbers);

std::vector<ValueCardLine> gradient_card(const FlowNumbers& numbers, std::size_t layer, GradientKind kind);
std::vector<ValueCardLine> update_card(const FlowNumbers& numbers, std::size_t layer, GradientKind kind);
std::vector<ValueCardLine> check_card(const CheckResult& result);

} // namespace flow_words

} // namespace gradus
