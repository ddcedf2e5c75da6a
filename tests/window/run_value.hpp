#pragma once

#include "app/window/main_window.hpp"
#include "views/state/has_items.hpp"

#include <optional>

namespace gradus {

/// A number as it is written on screen, and how much its last digit leaves open.
struct WrittenNumber {
    double value = 0;
    double half_unit = 0; ///< of the last digit
    /// Whether `exact`, rounded as the text is, reads so.
    bool is(double exact) const;
};
/// The first number of a text, with the SI prefix of its unit if `unit` stands there: "12.3 µs" is 1.23e-5.
std::optional<WrittenNumber> number_in(const QString& text, const QString& unit = {});
/// All numbers of a text, without regard to units.
std::vector<WrittenNumber> numbers_in(const QString& text);

/// What a Run says about one thing on screen, found by what it is and not by how the view found it.
struct RunValue {
    double value = 0;
    Provenance provenance = Provenance::computed;
    QString unit; ///< the value's, where the text has one
    QString text; ///< instead of a number: the words that must stand there
    std::vector<double> then = {}; ///< what the text's further numbers must be, in its order
};
/// None for what is a place or a choice and no number of a Run. `known` is false for a view or item nobody has
/// described here yet.
std::optional<RunValue> value_in_run(MainWindow& window, const QWidget& widget, const ViewItem& item, bool& known);

} // namespace gradus
