#pragma once

#include "views/graph/graph_model.hpp"

#include <QRectF>
#include <functional>
#include <map>

namespace gradus {

constexpr double widest_operand = 96; // pixels

/// What flows into a column from above, or out of it below: boxes side by side about the column's centre, as nearly as
/// their neighbours leave them room.
struct ColumnGroup {
    int boxes = 0;      ///< in the fuller of its two rows
    double width = 0;   ///< of each box
    double centre = 0;  ///< of all
    double gap = 0;     ///< between boxes, the same in all groups
};

/// The groups of all columns: as wide as their columns, and wider where what stands in their boxes needs it and there is
/// room beside them. In one row groups never overlap, and they stay inside `area`. `shapes`: a box says its shape, too.
std::map<int, ColumnGroup> column_groups(const GraphModel& model, const QRectF& area, double pitch, double box,
                                         const std::function<double(int column)>& centre, bool shapes);

} // namespace gradus
