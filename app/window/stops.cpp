#include "app/window/stops.hpp"

#include "views/theme/numbers.hpp"

#include <QCoreApplication>

namespace gradus {

namespace {
QString tr(const char* text) { return QCoreApplication::translate("Stops", text); }
} // namespace

QString stop_words(const Session::Status& status) {
    if (status.stopped_by.empty()) return {};
    const Edit by = Edit::parse(status.stopped_by);
    if (by.target == "iteration") return tr("Stopped before step %1, as you asked.").arg(by.values.front(), 0, 'f', 0);
    if (by.target == "nan") return tr("Stopped: a number is NaN or infinite. W asks why.");
    return tr("Stopped: the gradient's norm is %1, above %2.").arg(three_digits(status.stopped_at.value_or(0)), three_digits(by.values.front()));
}

QString breakpoint_words(const Edit& breakpoint) {
    if (breakpoint.target == "iteration") return tr("before step %1").arg(breakpoint.values.front(), 0, 'f', 0);
    if (breakpoint.target == "nan") return tr("at a number that is NaN or infinite");
    return tr("where the gradient's norm is above %1").arg(three_digits(breakpoint.values.front()));
}

} // namespace gradus
