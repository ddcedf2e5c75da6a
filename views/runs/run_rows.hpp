#pragma once

#include "engine/trace/run.hpp"

#include <QRectF>
#include <QString>
#include <memory>
#include <vector>

namespace gradus {

/// One branch in the list of runs.
struct RunRow {
    enum class Mark : std::uint8_t { none, parameter, setting };
    QRectF rect;
    std::string id;       ///< "run", "fork 1"
    QString name;         ///< what was changed, as it is written; empty for the first Run
    QString where;        ///< where it left its parent, how far it is
    QString done;         ///< how far alone, for want of room
    StepIndex step = 0;            ///< the one its outcome is of: the one that is asked for, or its last where it has not come so far
    std::optional<double> outcome; ///< computed: the main series at that step
    Mark mark = Mark::none;     ///< of the thing changed
    int depth = 0;              ///< forks between it and the first Run
    bool selected = false;
    bool broken = false; ///< that is not finite, or it failed
    QString why;         ///< it failed: one sentence
};

/// The first row where there is not room for all: the newest are in sight, and the selected one is.
std::size_t first_row(std::size_t runs, std::size_t selected, const QRectF& area);

/// Rows from top to bottom in the order in which the Runs came into being, from `first` on as far as there is room. Losses are
/// compared at one step, the cursor's; a Run that has not come so far says at which step its own is.
std::vector<RunRow> make_rows(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected,
                              const QRectF& area, std::size_t first, StepIndex step);

constexpr double run_row_height = 44; // pixels

} // namespace gradus
