#pragma once

#include "engine/trace/derive/site_times.hpp"
#include "views/timeline/timeline_model.hpp"

#include <QRectF>
#include <QString>
#include <vector>

namespace gradus {

/// What one op cost in time.
struct OpRow {
    std::int32_t site = -1;    ///< of the Run the table is about; -1: the time between the ops, or many small ops together
    std::int32_t ordinal = -1; ///< of its event; -1 where that varies
    Phase phase = Phase::forward;
    QString name, place; ///< "matmul ∂W₂", "backward · layer 2"
    double share = 0;    ///< of all the time
    double seconds = 0;  ///< in one step; the median where there are several
    double low = 0, high = 0; ///< 10th and 90th percentile
};

/// Where the time went, the most expensive op first.
struct OpTable {
    std::shared_ptr<const Run> run;
    std::vector<OpRow> rows;
    std::size_t steps = 0; ///< summed over
    double total = 0;      ///< seconds in all of them
};

/// Over all observed iterations that `times` has taken in.
OpTable make_op_table(const std::shared_ptr<const Run>& run, const SiteTimes& times);
/// Of one iteration.
OpTable make_op_table(const TimelineModel& model);

/// A row on screen.
struct OpTableItem {
    QRectF rect, name, bar, share, seconds, spread; ///< empty where there is no room
    std::size_t row = 0;
};

/// Where the rows lie, with the first `scrolled` ones left out. The line above them holds the headings.
struct OpTableGeometry {
    QRectF heading;
    OpTableItem columns; ///< where the headings stand
    std::vector<OpTableItem> items;
    std::size_t hidden = 0;    ///< rows below the last one
    double hidden_share = 0;
    QRectF more;               ///< the line that says so
    const OpTableItem* at(QPointF position) const;
};

OpTableGeometry lay_out(const OpTable& table, const QRectF& area, std::size_t scrolled);

constexpr double op_row_height = 22; // pixels

} // namespace gradus
