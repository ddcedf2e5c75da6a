#pragma once

#include "tests/window/run_value.hpp"

namespace gradus {

/// The same as value_in_run, for the views that single lessons have.
std::optional<RunValue> value_in_lesson(MainWindow& window, const QWidget& widget, const ViewItem& item, bool& known);

} // namespace gradus
