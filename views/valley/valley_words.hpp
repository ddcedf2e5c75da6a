#pragma once

#include "views/theme/value_card.hpp"
#include "views/valley/valley_model.hpp"

#include <QString>
#include <vector>

namespace gradus {

/// A number with its name and meaning, as it stands above the picture: "f(w) = 2.00".
struct ValleyReadout {
    QString text;
    Role role = Role::metric;
    QString widest; ///< as much room as it may ever take, so that nothing moves while one plays
};

namespace valley_words {

QString tr(const char* text);
QString title(ObjectiveConstants::Kind kind);
/// Three digits; not finite with ✕.
QString number(double value);
/// A number at an axis: no more digits than it has.
QString tick(double value);
/// "w = 1.00, f(w) = 2.00"
QString place(ObjectiveConstants::Kind kind, const ValleyPlace& place);
/// "∂w = 4.00"; of two parameters "∂w = (4.00, 1.00)".
QString slope(ObjectiveConstants::Kind kind, const std::array<double, 2>& slope);
/// "−η·∂w = −0.400": by how much the update moves the parameters.
QString step(ObjectiveConstants::Kind kind, const std::array<double, 2>& from, const std::array<double, 2>& to);
/// What stands at an axis of the picture: "w₁", "f(w)".
QString across(ObjectiveConstants::Kind kind);
QString up(ObjectiveConstants::Kind kind);
/// What f is called: "f(w)", "f(w₁, w₂)", "loss".
QString objective(ObjectiveConstants::Kind kind);
std::vector<ValleyReadout> readouts(ObjectiveConstants::Kind kind, const ValleyWalk& walk);

} // namespace valley_words
} // namespace gradus
