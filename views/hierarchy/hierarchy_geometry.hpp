#pragma once

#include <QPointF>
#include <QRectF>
#include <cstddef>
#include <vector>

namespace gradus {

/// What the words of the hierarchy need, in pixels.
struct HierarchyRoom {
    double name = 0, value = 0;        ///< widths: of the longest name or capacity, of the longest number
    double line = 0, small = 0;        ///< heights: of a name or number, of what stands below it; 0: nothing does
    double label = 0;                  ///< height of the rungs' labels
    double rung = 10;                  ///< least width of a rung's bar with the gap beside it
    double foot = 0;                   ///< height of the words below; 0: none
    double strip = 8, gap = 14;        ///< width of a place's colour; between columns
    double highest = 120;              ///< of a row
    bool bars = true;                  ///< what moves may be drawn as bars
    std::vector<bool> low = {};        ///< places that need no more than a line; empty: none
};

/// Where the places lie, near to far from the top down, and what moves there.
struct HierarchyGeometry {
    struct Row {
        QRectF rect;  ///< all of it
        QRectF strip; ///< the colour of the place
        QRectF name, value;
        QRectF bar;   ///< what moves, against the least; null: no room
        std::vector<QRectF> rungs; ///< where each rung's bar may stand; empty: no room, or no rungs
        bool two_lines = false; ///< capacity and ideal stand below
    };
    std::vector<Row> rows;
    std::vector<QRectF> labels; ///< of the rungs, below the rows
    QRectF foot;

    /// The rung that a point is on, in any row or among the labels; -1: none.
    int rung_at(QPointF point) const;
    int row_at(QPointF point) const;
};

HierarchyGeometry lay_out_hierarchy(std::size_t places, std::size_t rungs, const HierarchyRoom& room, const QRectF& area);

} // namespace gradus
