#pragma once

#include <QPointF>
#include <QRectF>
#include <cstddef>
#include <vector>

namespace gradus {

/// What the words of a listing need, in pixels, in one size of type.
struct ListingRoom {
    double line = 0;                         ///< height of a line
    double number = 0, code = 0, told = 0;   ///< widths: of a line's number, of the longest line, of the longest that is told of
    double time = 0, work = 0;               ///< widths of the two columns beside it
    double note = 0;                         ///< height of a line of a note
};

/// Where the lines of a listing lie, and the columns beside them.
struct ListingGeometry {
    struct Row {
        std::size_t line = 0; ///< from 0
        QRectF rect;          ///< all of it: what a click hits
        QRectF number, code;  ///< a number is null where there is no room for it
        QRectF time, work;    ///< null likewise
    };
    QRectF area;
    QRectF head;  ///< over the columns, what they hold; null: no room
    QRectF missing; ///< over the code, where it says which lines there is no room for; null: none, or a class is shown the told ones
    QRectF notes; ///< below the lines; null: no room
    std::vector<Row> rows;
    bool whole = false; ///< every line is there and none is cut, with both columns
    bool told = false;  ///< the same of the lines that are told of
    bool uncut = false; ///< the same of these, be there columns or not

    const Row* row_at(QPointF point) const;
    const Row* find(std::size_t line) const;
};

/// Of lines that do not all fit those round the ones that are told of stay, else those round `here` (-1: none). `told`: by
/// line. `told_only`, as in class: from the first that is told of to the last, as far apart as there is room, and no line is cut for a column's sake.
ListingGeometry lay_out_listing(const std::vector<bool>& told, int here, bool told_only, const ListingRoom& room, const QRectF& area);

} // namespace gradus
