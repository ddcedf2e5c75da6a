#pragma once

#include <QPointF>
#include <QRectF>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gradus {

/// What is to be laid out: numbers of elements and of tiles.
struct AttentionCounts {
    std::int64_t length = 0;          ///< queries and keys of a head
    std::int64_t rows = 0, keys = 0;  ///< of a tile; 0: there are no tiles
    std::size_t table_rows = 0;       ///< queries to be told of
    std::size_t focus = 0;            ///< the one that must be seen
    std::size_t first_here = 0, last_here = 0; ///< those that the step touches, [first, last); none: all may be
    bool chosen = false;              ///< somebody has singled out the one in focus
    std::size_t memory = 0;           ///< tiles in shared memory
    bool capacity = false;            ///< it is known how much of that there is
    bool told = false;                ///< the row in focus has met a tile
    std::size_t table = 0, table_columns = 0; ///< of bytes: lines below the head, columns beside the names
    std::size_t least_columns = 0;            ///< of these, the last ones, that say enough alone
    std::size_t summary = 0, bars = 0; ///< lines and bars that a class sees
};

/// What words need, in pixels, in the type of the view.
struct AttentionRoom {
    double line = 0;    ///< height of a line
    double box = 0;     ///< height of a box with a tile's name
    double box_width = 0, key_width = 0; ///< widths: of a query tile's box, the least of a key tile's
    double number = 0, query = 0;     ///< widths: of a value, of a query's number
    double name = 0, bytes = 0;       ///< widths: of a name before bytes, of bytes
    double sign = 0;    ///< width of "ℓ" before what is told of it
    double bar = 0;     ///< width of a bar's name and bytes, and of what stands above all bars
    double button = 0;  ///< side of a button; 0: none
};

/// Where the scores of attention lie, tile by tile, and what is told beside them.
struct AttentionGeometry {
    struct Row {
        std::size_t row = 0;
        QRectF rect, query, max, sum, factor, strip; ///< strip: null where there is no room
    };
    QRectF area, headline, previous, next;
    QRectF grid;           ///< all scores of a head, queries down, keys across; square
    double cell = 0;       ///< pixels of one of them
    QRectF legend;         ///< null: no room
    std::vector<QRectF> key_boxes, query_boxes; ///< of tiles; empty where these are too small for names
    QRectF key_strip, query_strip;              ///< above and beside the grid, all of them
    QRectF rows_head, rows_more; ///< above them; below, where not all have room
    std::vector<Row> rows;
    QRectF memory_title;
    QRectF memory_share;         ///< in class: how much of an SM's the block takes
    std::vector<QRectF> memory;
    QRectF table_title;
    std::vector<QRectF> table;   ///< the head first, then the last lines, which have room
    std::vector<double> columns; ///< right edges of the last ones, which have room
    QRectF summary;              ///< in class and where there is no room for rows: about one row, beside the grid
    std::vector<QRectF> summary_lines, bars;
    double sign = 0;             ///< width of what a line begins with
    QRectF bars_title;

    /// Of queries [first, last) and keys [from, to).
    QRectF part(std::int64_t first, std::int64_t last, std::int64_t from, std::int64_t to) const;
    QRectF tile(std::int64_t row_tile, std::int64_t key_tile, const AttentionCounts& counts) const;
    /// The query and the key of a point; -1, -1 beside the grid.
    std::pair<std::int64_t, std::int64_t> element_at(QPointF point, std::int64_t length) const;
};

/// `sparse`, as in class: the grid, a few lines about one row, and two bars.
AttentionGeometry lay_out_attention(const AttentionCounts& counts, const AttentionRoom& room, bool sparse, const QRectF& area);

} // namespace gradus
