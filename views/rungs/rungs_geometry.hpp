#pragma once

#include "views/rungs/rungs_model.hpp"

#include <QRectF>

namespace gradus {

inline constexpr double rungs_gap = 10, rungs_column_gap = 20; // pixels between things, between columns

/// What the words of the comparison need, in pixels, in one size of type.
struct RungsRoom {
    double line = 16, digit = 6.6; ///< height of a line of code, width of a character of it
    double label = 15;             ///< height of a line of words
    double table = 19;             ///< of a row of the table
    double name = 120, value = 76, change = 84; ///< widths of its columns
    double counter = 60;           ///< width of a line's counts
    double head = 90, so_far = 250; ///< widths of a rung's name, and of what it has cost so far
    std::vector<double> chips;     ///< widths of the rungs' names; short ones in `short_chips`
    std::vector<double> short_chips;
    std::array<double, 3> ways{};  ///< widths of the words of each RungsWay; 0: it is not offered
    bool comments = true;          ///< comments, empty lines and whole indentations have room
    std::size_t most_counts = 99;  ///< rows of the table
    bool sparse = false;           ///< for a class
};

/// Ways through the steps of the side that drives, each forwards and back.
enum class RungsWay : std::uint8_t { line, warp_step, barrier };

/// Where everything of the comparison lies. A rectangle that is null is not shown.
struct RungsGeometry {
    struct Button {
        RungsWay way = RungsWay::line;
        int by = 1;
        QRectF rect;
    };
    struct WayLabel {
        RungsWay way = RungsWay::line;
        QRectF rect;
    };
    struct Cell { ///< a line of one side
        int side = 0;
        std::size_t row = 0; ///< of the model's rows
        int line = -1;       ///< of the side's code; -1: it has none here
        QRectF rect, sign, number, text, counts;
        std::vector<TextSpan> pieces; ///< of the line, one below the other
        double first = 0, rest = 0; ///< pixels that the first of them, and all others, are further in
        bool both = false;   ///< it stands for the same line of the other side, too
    };
    struct TableRow {
        std::size_t count = 0; ///< of the model's counts
        bool ideal = false;    ///< the fewest that would do
        QRectF rect, name, bar, change;
        std::array<QRectF, 2> values;
    };
    QRectF area;
    std::vector<QRectF> chips; ///< of the model's rungs
    bool short_chips = false;
    std::vector<Button> buttons;
    std::vector<WayLabel> ways;
    QRectF progress, track; ///< its words; the share of the work as a bar
    std::array<QRectF, 2> heads, so_far;
    QRectF legend; ///< what the counts are
    bool beside = false; ///< left and right; else one above the other
    std::vector<Cell> cells;
    QRectF more; ///< says how many lines there was no room for
    std::vector<double> gaps; ///< heights at which lines are left out between two that are shown
    std::size_t left_out = 0, cut = 0; ///< rows that have no room; lines that go on below
    std::vector<TableRow> table;
    std::vector<QRectF> table_heads; ///< of each column of rows
    QRectF why;  ///< what is missing of a side
    double code_height = 0; ///< that all of the code would take
};

RungsGeometry lay_out_rungs(const RungsModel& model, const RungsRoom& room, const QRectF& area);

// Its table.
double rungs_table_width(const RungsRoom& room); ///< of one column of rows
/// That all rows take in so wide a place, or as many of them as are at most so high.
double rungs_table_height(const RungsModel& model, const RungsRoom& room, double width, double most);
/// In as many columns of rows as have room, no higher than `box`.
void lay_rungs_table(RungsGeometry& out, const RungsModel& model, const RungsRoom& room, const QRectF& box);

/// A line cut where words or brackets end, none longer than `fit` characters, and none but the first longer than `rest`.
std::vector<TextSpan> wrapped(const QString& line, int fit, int rest);
/// The line as it is shown: without its comment where that has no room.
QString shown_text(const QString& line, bool comments);

} // namespace gradus
