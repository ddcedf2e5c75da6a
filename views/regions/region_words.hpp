#pragma once

#include "views/regions/region_field.hpp"
#include "views/theme/value_card.hpp"

#include <QString>

namespace gradus::region_words {

QString tr(const char* text);
/// A coordinate or an output, three digits, with a real minus sign.
QString number(double value);
QString class_name(int label);
/// What the signed map shows: "probability of class 1", "output z".
QString score_name(const DecisionRule& rule);
/// The net's outputs at a place: "z[0] −0.21", its probabilities and the class it gives.
std::vector<ValueCardLine> output_lines(const DecisionRule& rule, std::span<const double> outputs);
std::vector<ValueCardLine> point_card(const RegionField& field, int point);
std::vector<ValueCardLine> place_card(const RegionField& field, double x, double y);

} // namespace gradus::region_words
