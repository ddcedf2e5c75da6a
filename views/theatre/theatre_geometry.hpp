#pragma once

#include "views/theatre/theatre_model.hpp"

#include <QRectF>
#include <vector>

namespace gradus {

/// What the theatre's words need, in pixels, in one size of type.
struct TheatreRoom {
    double line = 18;    ///< height of a line of code
    double digit = 7.8;  ///< width of a character of code
    double label = 16;   ///< height of a line of words
    double cell = 34;    ///< least width of a lane that holds a value
    double strip = 14;   ///< height of a strip of the timeline
    double counter = 84; ///< width of a column of counts
    double gutter = 76;  ///< in front of a line of memory
    double where = 200;  ///< width of the words that say which block and warp
    double edit = 0;     ///< width of the word that opens the editor; 0: it is not offered
    std::array<double, 5> ways{}; ///< widths of the words of each TheatreWay; 0: it is not offered
    bool sparse = false; ///< for a class
    bool wraps = false;  ///< lines of code that cost something go on in a row below where they are too long for one
    bool editing = false; ///< the editor stands in place of the code
    bool secret = false;  ///< what was found: there is one row for it, be there anything or not
    double finding = 0;   ///< width of the longest sentence of a finding
    double more = 0;      ///< width of the words that say how many more were found
    std::size_t finding_at = 0; ///< the one that is to be in sight
    double sentence = 0;  ///< width of what is said of the memory that is touched; 0: nothing is
};

/// Ways through the steps, each forwards and back.
enum class TheatreWay : std::uint8_t { line, warp_step, barrier, word, block };

/// Where everything of the theatre lies. A rectangle that is null is not shown.
struct TheatreGeometry {
    struct CodeRow {
        std::int32_t line = 0;
        qsizetype from = 0, to = 0; ///< its columns, [from, to)
        bool goes_on = false;       ///< begins within its line
        QRectF rect, number, text, sectors, wavefronts;
    };
    struct Button {
        TheatreWay way = TheatreWay::line;
        int by = 1;
        QRectF rect;
    };
    struct WayLabel {
        TheatreWay way = TheatreWay::line;
        QRectF rect;
    };
    struct Sector {
        std::size_t line = 0;
        int sector = 0;
        QRectF rect;
    };
    QRectF area, code, code_head;
    QRectF where;    ///< which block and warp
    QRectF edit;     ///< opens the editor
    QRectF editor;   ///< where it stands then: in place of code and lists
    std::vector<Button> buttons;
    std::vector<WayLabel> ways;
    std::vector<CodeRow> rows;
    QRectF lanes_head, rank; ///< rank: in front of the lanes, which thread is the first of a row
    std::vector<QRectF> lanes;          ///< 32, or none
    int lanes_per_row = 16;
    bool numbers = false;               ///< lanes have room for their number
    bool values = false;                ///< and for a value
    QRectF locals;
    QRectF memory_head, memory, memory_foot;
    std::vector<Sector> sectors;
    double gutter = 0;              ///< in front of each line of them, for its first word; 0: there is none
    std::size_t lines_left_out = 0; ///< of 128 bytes, for which there was no room
    QRectF more;                    ///< in class, and where no sentence has room: how many these are, or turns
    double bank = 0, turn = 0; ///< width of a bank and height of a turn; 0: banks are not shown
    QRectF banks;
    bool bank_numbers = false; ///< stand above the banks
    std::size_t turns = 0;     ///< that have room
    std::vector<QRectF> class_banks; ///< in class: all of them, in rows as lanes stand; empty: banks are not shown
    QRectF grid; ///< of a whole launch, in place of memory
    std::vector<QRectF> blocks;        ///< those that have room, by their numbers
    std::int64_t blocks_left_out = 0;
    std::size_t enlarged = 0;          ///< the block whose threads are seen beside the grid
    std::vector<QRectF> threads;       ///< of it, by their ranks; empty: there is no room for them
    QRectF enlarged_label;             ///< above them, for its name; null: there is no room
    QRectF first_warp;                 ///< beside those of warp 0, for its name; null: there is no room
    QRectF bits;
    QRectF findings, touching;
    std::vector<QRectF> finding_rows, touch_rows;
    std::size_t first_touch = 0, first_finding = 0; ///< the first that has a row
    QRectF more_findings; ///< brings the next into sight; null: all have a row
    QRectF warps; ///< the block's warps as cells
    std::vector<QRectF> warp_cells;
    QRectF barrier;
    QRectF whole, detail; ///< strips: the warp's way, and the part round the step
    QRectF warps_label, whole_label; ///< what they are, where there is room to say it
    std::int64_t detail_from = 0, detail_until = 0; ///< turns

    QRectF word_rect(std::size_t turn, int bank) const;
    const CodeRow* row_of(std::int32_t line) const;
    double x_of(std::int64_t turn, const QRectF& strip, std::int64_t from, std::int64_t until) const;
};

TheatreGeometry lay_out_theatre(const TheatreModel& model, const TheatreRoom& room, const QRectF& area);

} // namespace gradus
