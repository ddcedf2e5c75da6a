#include "views/theatre/theatre_geometry.hpp"

#include "views/theatre/class_code.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double gap = 12, column_gap = 24, button = 24, head = 24;
constexpr double wide = 860; // from here on code and lanes stand side by side
constexpr double lane_gap = 4;        // between what a class sees side by side
constexpr int most_in_class = 4;         // lines of memory, all of them seen
constexpr double least_numbered = 24; // width of a lane whose number a class reads
constexpr double least_line_of_memory = 11, told_line_of_memory = 24, most_line_of_memory = 36, least_turn = 9, most_turn = 22;

/// Beside the code, which comes first.
bool has_counters(const TheatreRoom& room, double width) { return width >= 34 * room.digit + 2 * room.counter; }

/// The columns of counts, at the right of the code: those that any line has something in.
struct CountColumns {
    bool sectors = false, wavefronts = false;
};

CountColumns count_columns(const TheatreModel& model, const TheatreRoom& room, double width) {
    if (!has_counters(room, width)) return {};
    return {std::ranges::any_of(model.code, [](const TheatreLine& line) { return !line.sectors.empty(); }),
            std::ranges::any_of(model.code, [](const TheatreLine& line) { return !line.wavefronts.empty(); })};
}

constexpr std::int32_t least_page = 3; // rows in which a part of the code can be read
constexpr double count_gap = 10, after_number = 12, code_margin = 6;

/// How wide the text of a line may be: as far as the first count that it has.
double text_width(const TheatreLine& line, const CountColumns& columns, const TheatreRoom& room, double width) {
    double right = width - code_margin;
    const double one = room.counter + count_gap;
    if (columns.sectors && !line.sectors.empty()) right -= one * (columns.wavefronts ? 2 : 1);
    else if (columns.wavefronts && !line.wavefronts.empty()) right -= one;
    return std::max(0.0, right - 4 * room.digit - after_number);
}

/// A line's rows: several where it costs something and its code is too long for one.
std::vector<CodePiece> rows_of_line(const TheatreModel& model, std::int32_t number, const CountColumns& columns, const TheatreRoom& room, double width) {
    constexpr std::size_t most = 4;
    const TheatreLine& line = model.code[static_cast<std::size_t>(number) - 1];
    std::vector<CodePiece> out;
    if (room.wraps && !(line.sectors.empty() && line.wavefronts.empty())) out = broken_code(line.text, 0, static_cast<qsizetype>(text_width(line, columns, room, width) / room.digit));
    if (out.empty() || out.size() > most) out = {{}};
    out.back().to = line.text.size(); // with the comment behind it
    for (CodePiece& piece : out) piece.line = number;
    return out;
}

/// How many rows the function's lines take.
std::int32_t rows_of_function(const TheatreModel& model, const TheatreRoom& room, double width) {
    std::int32_t out = model.last_line - model.first_line + 1;
    if (!room.wraps) return out;
    const CountColumns columns = count_columns(model, room, width);
    for (std::int32_t line = model.first_line; line <= model.last_line; ++line) out += static_cast<std::int32_t>(rows_of_line(model, line, columns, room, width).size()) - 1;
    return out;
}

/// At most `fit` rows of the function: all of it, or the part in which the line is; it turns page by half pages, so that it does not move with every step.
std::vector<CodePiece> page_of_code(const TheatreModel& model, const CountColumns& columns, const TheatreRoom& room, double width, std::int32_t fit) {
    const auto lines = static_cast<std::int32_t>(model.code.size());
    std::vector<CodePiece> rows;
    const auto add = [&](std::int32_t line) {
        for (const CodePiece& piece : rows_of_line(model, line, columns, room, width)) rows.push_back(piece);
    };
    const std::int32_t begin = std::max(model.first_line, 1), end = std::min(model.last_line, lines);
    for (std::int32_t line = begin; line <= end; ++line) add(line);
    if (const auto count = static_cast<std::int32_t>(rows.size()); count > fit) {
        const auto row_of = [&](std::int32_t line) { return static_cast<std::int32_t>(std::find_if(rows.begin(), rows.end(), [&](const CodePiece& piece) { return piece.line >= line; }) - rows.begin()); };
        const std::int32_t half = std::max(1, fit / 2), at = model.line < begin || model.line > end ? 0 : row_of(model.line), after = row_of(std::max(model.line, begin) + 1);
        std::int32_t first = std::clamp(at / half * half - half / 2, 0, count - fit);
        first = std::max(first, std::min(at, after - fit)); // all rows of the line that one stands on
        while (rows[static_cast<std::size_t>(first)].goes_on) ++first; // a page begins with a line
        return {rows.begin() + first, rows.begin() + std::min(first + fit, count)};
    }
    // More of the file below it, then above it, but not the text at its head, which says what is counted here.
    std::int32_t code = 1, below = end;
    while (code < begin && (model.code[static_cast<std::size_t>(code) - 1].text.startsWith(QLatin1String("//")) || model.code[static_cast<std::size_t>(code) - 1].text.trimmed().isEmpty())) ++code;
    while (below < lines && static_cast<std::int32_t>(rows.size()) < fit) add(++below);
    for (std::int32_t line = begin - 1; line >= code && static_cast<std::int32_t>(rows.size()) < fit; --line) {
        const std::vector<CodePiece> above = rows_of_line(model, line, columns, room, width);
        if (static_cast<std::int32_t>(rows.size() + above.size()) > fit) break;
        rows.insert(rows.begin(), above.begin(), above.end());
    }
    if (static_cast<std::int32_t>(rows.size()) > fit) rows.resize(static_cast<std::size_t>(fit));
    return rows;
}

void lay_class_code(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, const QRectF& box) {
    constexpr double before = 14, most_rows = 3;
    const auto columns = static_cast<qsizetype>((box.width() - before - 6) / room.digit);
    double top = box.top();
    for (const CodePiece& piece : class_code(model, columns, static_cast<std::size_t>(std::min(most_rows, std::floor(box.height() / room.line))))) {
        TheatreGeometry::CodeRow row;
        row.line = piece.line, row.from = piece.from, row.to = piece.to, row.goes_on = piece.goes_on;
        row.rect = {box.left(), top, box.width(), room.line};
        row.text = row.rect.adjusted(before + piece.at * room.digit, 0, -6, 0);
        top += room.line;
        out.rows.push_back(row);
    }
}

void lay_code(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, const QRectF& box) {
    out.code = box;
    if (model.code.empty() || box.height() < 2 * room.line) return;
    if (room.sparse) return lay_class_code(out, model, room, box);
    double top = box.top();
    if (has_counters(room, box.width())) out.code_head = {box.left(), top, box.width(), room.label}, top += room.label + 4;
    const CountColumns columns = count_columns(model, room, box.width());
    const double number = 4 * room.digit;
    const auto fit = static_cast<std::int32_t>((box.bottom() - top) / room.line);
    std::vector<CodePiece> pieces;
    if (fit <= least_page && model.at_step && model.line > 0) // in so few rows, what tells most: as a class has it
        pieces = class_code(model, static_cast<qsizetype>(text_width(model.code[static_cast<std::size_t>(model.line) - 1], columns, room, box.width()) / room.digit), static_cast<std::size_t>(std::max(0, fit)));
    else pieces = page_of_code(model, columns, room, box.width(), fit);
    for (const CodePiece& piece : pieces) {
        const TheatreLine& line = model.code[static_cast<std::size_t>(piece.line) - 1];
        if (line.text.isEmpty() && piece.line == static_cast<std::int32_t>(model.code.size())) break;
        TheatreGeometry::CodeRow row;
        row.line = piece.line, row.from = piece.from, row.to = piece.to, row.goes_on = piece.goes_on;
        row.rect = {box.left(), top, box.width(), room.line};
        top += room.line;
        if (!piece.goes_on) row.number = {box.left(), row.rect.top(), number, room.line};
        double left = row.rect.right() - code_margin;
        for (const auto& [shown, column] : {std::pair(columns.wavefronts, &row.wavefronts), std::pair(columns.sectors, &row.sectors)}) { // a kernel without shared memory leaves that room to its code
            if (!shown) continue;
            if (!piece.goes_on) *column = {left - room.counter, row.rect.top(), room.counter, room.line};
            left -= room.counter + count_gap;
        }
        row.text = QRectF(box.left() + number + after_number, row.rect.top(), text_width(line, columns, room, box.width()), room.line).adjusted(piece.at * room.digit, 0, 0, 0);
        out.rows.push_back(row);
    }
}

void lay_lanes(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, QRectF& box) {
    if (!model.block || box.height() < room.label + 44) return;
    if (!room.sparse) {
        out.lanes_head = {box.left(), box.top(), box.width(), room.label};
        box.setTop(out.lanes_head.bottom() + 4);
    }
    // A class reads the lanes' numbers, in two rows; where those would leave memory too little it sees lanes alone, in one.
    constexpr double seen_in_class = 14; // a lane narrower than that is a stroke
    const bool one_row = room.sparse && box.width() >= 32 * (seen_in_class + 4) && (box.height() < 150 || box.width() >= 32 * (least_numbered + 4));
    out.lanes_per_row = one_row ? 32 : 16;
    const double digits = model.warp * 32 + 16 < 1000 ? 5 : 6, rank = room.sparse ? 0 : std::min(6.4 * digits, digits * room.digit), // "+1008" and a gap
         between = room.sparse ? lane_gap : 3;
    const double cell = (box.width() - rank - between * (out.lanes_per_row - 1)) / out.lanes_per_row;
    out.values = !room.sparse && cell >= room.cell;
    out.numbers = !room.sparse || cell >= least_numbered;
    const double height = room.sparse ? std::min({44.0, box.height() / (one_row ? 5 : 8), 2 * cell}) : out.values ? 2 * room.label + 2 : room.label + 4;
    out.rank = {box.left(), box.top(), rank, height};
    for (int lane = 0; lane < 32; ++lane)
        out.lanes.push_back({box.left() + rank + lane % out.lanes_per_row * (cell + between), box.top() + lane / out.lanes_per_row * (height + between), cell, height});
    box.setTop(out.lanes.back().bottom() + (room.sparse ? 8 : 6));
}

/// Of many lines of 128 bytes a class sees the first, as it sees few, and reads how many more there are.
void lay_first_lines(TheatreGeometry& out, int count, const TheatreRoom& room, const QRectF& box) {
    constexpr int shown = 3;
    constexpr double between = 3;
    out.gutter = room.gutter;
    const double height = (box.height() - room.label) / shown, sector = (box.width() - room.gutter - 3 * between) / 4;
    if (sector < 8 || height < least_line_of_memory) return;
    for (int line = 0; line < shown; ++line)
        for (int i = 0; i < 4; ++i)
            out.sectors.push_back({static_cast<std::size_t>(line), i, {box.left() + room.gutter + i * (sector + between), box.top() + line * height, sector, height - between}});
    out.lines_left_out = static_cast<std::size_t>(count - shown);
    out.more = {box.left() + room.gutter, box.top() + shown * height, box.width() - room.gutter, room.label};
}

/// Lines of 128 bytes in as few columns as there is height for.
void lay_sectors(TheatreGeometry& out, const SectorPicture& picture, const TheatreRoom& room, const QRectF& box) {
    const auto count = static_cast<int>(picture.lines.size());
    if (!count) return;
    if (room.sparse && count > most_in_class) return lay_first_lines(out, count, room, box);
    out.gutter = room.gutter;
    const double between = count > 12 ? 2 : room.sparse ? 3 : 4;
    int columns = 1;
    constexpr double least_sector = 40; // one of a few pixels is a stroke: rather fewer lines
    const auto pitch_of = [&](int c) { return box.height() / std::ceil(static_cast<double>(count) / c); };
    const int most = std::max(1, static_cast<int>((box.width() + column_gap) / (room.gutter + 4 * least_sector + column_gap)));
    while (columns < most && pitch_of(columns) < least_line_of_memory + between) ++columns;
    const double pitch = std::clamp(pitch_of(columns), least_line_of_memory + between, (room.sparse ? 2 : 1) * most_line_of_memory + between);
    const int per_column = std::max(1, static_cast<int>((box.height() + between) / pitch));
    const double column = (box.width() - column_gap * (columns - 1)) / columns, sector = (column - room.gutter - 3 * between) / 4;
    if (sector < 8 || box.height() < least_line_of_memory) {
        out.lines_left_out = static_cast<std::size_t>(count);
        return;
    }
    const int fit = std::min(count, per_column * columns), rows = (fit + columns - 1) / columns;
    out.lines_left_out = static_cast<std::size_t>(count - fit);
    for (int line = 0; line < fit; ++line)
        for (int i = 0; i < 4; ++i)
            out.sectors.push_back({static_cast<std::size_t>(line), i,
                                   {box.left() + line / rows * (column + column_gap) + room.gutter + i * (sector + between), box.top() + line % rows * pitch, sector, pitch - between}});
}

/// A class reads in each bank which lane it serves: in rows of 16, below the lanes.
void lay_class_banks(TheatreGeometry& out, const TheatreRoom& room, QRectF box) {
    constexpr int per_row = 16;
    out.gutter = box.width() > 6 * room.gutter ? room.gutter : 0;
    box.setLeft(box.left() + out.gutter);
    const double cell = (box.width() - lane_gap * (per_row - 1)) / per_row, height = std::min(44.0, (box.height() - lane_gap) / 2);
    for (int bank = 0; bank < 32; ++bank)
        out.class_banks.push_back({box.left() + bank % per_row * (cell + lane_gap), box.top() + bank / per_row * (height + lane_gap), cell, height});
}

void lay_banks(TheatreGeometry& out, const BankPicture& picture, const TheatreRoom& room, QRectF box) {
    if (picture.turns.empty()) return;
    if (room.sparse) return lay_class_banks(out, room, box);
    const double gutter = 8 * room.digit;
    out.bank_numbers = box.height() - room.label - 2 >= least_turn; // else the turns come before them
    const double heads = out.bank_numbers ? room.label + 2 : 0;
    out.banks = {box.left() + gutter, box.top() + heads, box.width() - gutter, box.height() - heads};
    out.bank = out.banks.width() / 32;
    out.turn = std::clamp(out.banks.height() / static_cast<double>(picture.turns.size()), least_turn, most_turn);
    out.turns = std::min(picture.turns.size(), static_cast<std::size_t>(std::max(0.0, std::floor(out.banks.height() / out.turn))));
    out.banks.setHeight(out.turn * static_cast<double>(out.turns));
    if (!out.turns) out.banks = {};
}

/// Returns what has no room: lines of 128 bytes, or turns of the banks.
std::size_t lay_transfers(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room) {
    out.sectors.clear();
    lay_sectors(out, model.sectors, room, out.memory);
    lay_banks(out, model.banks, room, out.memory);
    return out.lines_left_out + (room.sparse ? 0 : model.banks.turns.size() - out.turns);
}

/// Threads of a block to a row: as the block has them where it has rows, else a warp.
std::int64_t threads_across(const Dim3& block) { return block.x == block.count() ? std::min<std::int64_t>(32, block.x) : block.x; }

constexpr double grid_gap = 32; // between a grid and the block that is enlarged beside it

/// How large a thread can be where the grid keeps its share of the width, and a name stands above; 0: not large enough to be seen.
double thread_side(const Dim3& block, const TheatreRoom& room, const QRectF& box) {
    constexpr double share = 0.32, least = 2.75, most = 12;
    const std::int64_t across = threads_across(block);
    const double rows = std::ceil(static_cast<double>(block.count()) / static_cast<double>(across));
    const double side = std::min({(box.width() * share - grid_gap) / static_cast<double>(across), (box.height() - room.label - 4) / rows, most});
    return side < least ? 0 : side;
}

/// The threads of one block that was recorded, beside the grid.
void lay_threads(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, const QRectF& box, double side) {
    const auto number = static_cast<std::size_t>(model.events->trace().log.blocks[model.block->number()].number);
    if (side <= 0 || number >= out.blocks.size() || out.blocks[number].isNull()) return;
    double left = 0;
    for (const QRectF& block : out.blocks) left = std::max(left, block.right());
    left += grid_gap;
    const Dim3& block = model.block->launch().block;
    const std::int64_t across = threads_across(block);
    out.enlarged = number;
    out.enlarged_label = {left, box.top(), box.right() - left, room.label};
    const double top = out.enlarged_label.bottom() + 4;
    for (std::int64_t thread = 0; thread < block.count(); ++thread)
        out.threads.push_back({left + static_cast<double>(thread % across) * side, top + static_cast<double>(thread / across) * side, side, side});
    const double right = left + static_cast<double>(across) * side + 10, height = side * std::ceil(32.0 / static_cast<double>(across));
    if (box.right() - right >= 8 * room.digit) out.first_warp = {right, top + std::min(0.0, (height - room.label) / 2), box.right() - right, std::max(height, room.label)};
}

/// A square for each block: as the launch has them where it has rows, else in as many to a row as makes them largest.
void lay_grid(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, const QRectF& all) {
    const double thread = thread_side(model.block->launch().block, room, all);
    QRectF box = all;
    if (thread > 0) box.setWidth(all.width() - thread * static_cast<double>(threads_across(model.block->launch().block)) - grid_gap);
    constexpr double least = 5, most = 40;
    const Dim3& grid = model.block->launch().grid;
    const std::int64_t count = grid.count();
    const auto side_of = [&](std::int64_t across) { return std::min({box.width() / static_cast<double>(across), box.height() / std::ceil(static_cast<double>(count) / static_cast<double>(across)), most}); };
    std::int64_t across = grid.x;
    if (across == count)
        for (across = 1; across < count && side_of(2 * across) >= side_of(across);) across *= 2;
    const double side = std::max(least, side_of(across));
    const auto columns = std::min(across, static_cast<std::int64_t>(box.width() / side)), rows = static_cast<std::int64_t>(std::max(1.0, std::floor(box.height() / side + 1e-6)));
    out.grid = all;
    for (std::int64_t block = 0; block < std::min(count, rows * across); ++block)
        if (const std::int64_t x = block % across; x < columns)
            out.blocks.push_back({box.left() + static_cast<double>(x) * side, box.top() + static_cast<double>(block / across) * side, side, side});
        else out.blocks.push_back({}); // a row that is too long
    out.blocks_left_out = count - std::count_if(out.blocks.begin(), out.blocks.end(), [](const QRectF& rect) { return !rect.isNull(); });
    lay_threads(out, model, room, all, thread);
}

void lay_memory(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, QRectF box) {
    if (!model.block || box.height() < (room.sparse ? 2.5 : 1) * room.label) return;
    out.memory_head = {box.left(), box.top(), box.width(), room.label};
    if (box.height() < 2.5 * room.label) return; // what it costs stands in the head
    if (!room.sparse) box.setTop(out.memory_head.bottom() + 6);
    else out.memory_head = {};
    const bool low = !room.sparse && box.height() < 6 * room.label; // the picture comes before its sentence
    const bool told = low && room.sentence > 0 && room.sentence <= box.width() && !model.sectors.lines.empty() &&
                      static_cast<double>(model.sectors.lines.size()) * told_line_of_memory + room.label + 8 <= box.height();
    const double foot = told ? room.label : low ? 0 : room.sparse ? room.label + 8 : 2 * room.label;
    if (model.bits) {
        out.bits = box;
        return;
    }
    out.memory_foot = {box.left(), box.bottom() - foot, box.width(), foot};
    out.memory = {box.left(), box.top(), box.width(), out.memory_foot.top() - (foot > 0 ? 8 : 0) - box.top()};
    if (model.level == Level::kernel) {
        lay_grid(out, model, room, out.memory);
        out.memory = {};
        return;
    }
    if (lay_transfers(out, model, room) && low) { // no sentence says how many
        out.memory_foot.setTop(box.bottom());
        out.more = {box.left(), box.bottom() - room.label, box.width(), room.label};
        out.memory.setBottom(std::max(out.memory.top(), out.more.top()));
        lay_transfers(out, model, room);
    }
    // The words stand right below what they speak of.
    double used = out.memory.top();
    for (const TheatreGeometry::Sector& sector : out.sectors) used = std::max(used, sector.rect.bottom());
    if (out.turns) used = std::max(used, out.banks.bottom());
    if (!room.sparse && model.touches) out.memory_foot.moveTop(std::min(out.memory_foot.top(), used + 8));
}

/// Forwards and back along each way that there is, right-aligned; in a row of their own where there is no room beside.
double lay_ways(TheatreGeometry& out, const TheatreRoom& room, double where) {
    double all = room.edit > 0 ? room.edit + gap : 0;
    for (const double words : room.ways)
        if (words > 0) all += words + 2 * button + gap;
    const bool beside = all + where <= out.area.width();
    double x = beside ? out.area.right() - all + gap : out.area.left();
    const double y = out.area.top() + (beside ? 0 : head);
    for (std::size_t i = 0; i < room.ways.size(); ++i) {
        const double words = room.ways[i];
        if (words <= 0) continue;
        const auto way = static_cast<TheatreWay>(i);
        if (x + words + 2 * button > out.area.right() + 1) break;
        out.buttons.push_back({way, -1, {x, y, button, head - 2}});
        out.ways.push_back({way, {x + button, y, words, head - 2}});
        out.buttons.push_back({way, 1, {x + button + words, y, button, head - 2}});
        x += words + 2 * button + gap;
    }
    if (room.edit > 0 && x + room.edit <= out.area.right() + 1) out.edit = {x, y, room.edit, head - 2};
    out.where = {out.area.left(), out.area.top(), beside ? out.area.width() - all - gap : out.area.width(), head};
    return (beside ? head : 2 * head) + 6;
}

void lay_foot(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, QRectF box) {
    const double side = std::min(200.0, box.width() / 4);
    if (box.height() >= 2 * room.strip + 14 + room.label) {
        out.warps_label = {box.left(), box.top(), side, room.label};
        out.whole_label = {box.left() + side + column_gap, box.top(), box.width() - side - column_gap, room.label};
        box.setTop(box.top() + room.label + 4);
    }
    out.warps = {box.left(), box.top(), side, room.strip};
    const int warps = model.block->warps();
    const double cell = std::min(14.0, (side - 2.0 * (warps - 1)) / warps);
    for (int warp = 0; warp < warps; ++warp) out.warp_cells.push_back({box.left() + warp * (cell + 2), box.top(), cell, room.strip});
    out.barrier = {box.left(), box.top() + room.strip + 4, side, room.label};
    const double left = box.left() + side + column_gap;
    out.whole = {left, box.top(), box.right() - left, room.strip - 4};
    out.detail = {left, out.whole.bottom() + 8, box.right() - left, room.strip + 2};
    if (!model.turns || model.turns->steps.empty()) return;
    const std::size_t at = std::min(model.turns->find(model.step), model.turns->steps.size() - 1);
    const std::int64_t here = model.turns->ends[at], shown = std::min<std::int64_t>(model.turns->total(), static_cast<std::int64_t>(out.detail.width() / 8));
    out.detail_from = std::clamp<std::int64_t>(here - shown / 2, 0, model.turns->total() - shown);
    out.detail_until = out.detail_from + std::max<std::int64_t>(1, shown);
}

/// Lines that the longest sentence takes in a column. A secret takes one: its room must not tell what it is.
int finding_lines(const TheatreRoom& room, double width) {
    constexpr double ragged = 1.15; // lines end at spaces
    return room.secret ? 1 : std::clamp(static_cast<int>(std::ceil(ragged * room.finding / std::max(1.0, width - 12))), 1, 3);
}

/// Its kind, and its sentence.
double finding_height(const TheatreRoom& room, int lines) { return (1 + lines) * room.label + 6; }

void lay_lists(TheatreGeometry& out, const TheatreModel& model, const TheatreRoom& room, QRectF& code) {
    const auto rows_of = [&](std::size_t wanted, std::size_t most, double height) { // some code stays beside them
        const auto fit = static_cast<std::size_t>(std::max(1.0, code.height() * 0.4 / height));
        const std::size_t rows = std::min({wanted, most, fit});
        return code.height() < 2 * room.line + static_cast<double>(rows) * height ? 0 : rows;
    };
    const auto take = [&](std::size_t rows, QRectF& list, std::vector<QRectF>& out_rows, double height) {
        if (!rows) return;
        list = {code.left(), code.bottom() - static_cast<double>(rows) * height, code.width(), static_cast<double>(rows) * height};
        for (std::size_t i = 0; i < rows; ++i) out_rows.push_back({list.left(), list.top() + static_cast<double>(i) * height, list.width(), height});
        code.setBottom(list.top() - 8);
    };
    if (!model.word.isEmpty()) { // its head, and the steps nearest to this one
        std::size_t rows = rows_of(std::max<std::size_t>(1, model.touching.size()) + 1, 6, room.label + 2);
        if (rows == 1) rows = 0; // a head alone says nothing
        take(rows, out.touching, out.touch_rows, room.label + 2);
        if (rows > 1 && model.touching.size() > rows - 1) {
            std::size_t here = 0;
            const std::int32_t at = model.events->of_step(model.step);
            while (here + 1 < model.touching.size() && model.touching[here].ordinal < at) ++here;
            out.first_touch = std::min(here >= (rows - 1) / 2 ? here - (rows - 1) / 2 : 0, model.touching.size() - (rows - 1));
        }
    }
    for (int lines = finding_lines(room, code.width()); lines >= 1 && out.finding_rows.empty(); --lines) // rather cut than not there
        take(rows_of(room.secret ? 1 : model.findings.size(), 3, finding_height(room, lines)), out.findings, out.finding_rows, finding_height(room, lines));
    const std::size_t rows = out.finding_rows.size();
    if (room.secret || rows == 0 || rows >= model.findings.size()) return;
    out.first_finding = std::min(room.finding_at / rows * rows, model.findings.size() - rows);
    const QRectF& last = out.finding_rows.back();
    out.more_findings = {last.right() - room.more - 12, last.top(), room.more + 12, room.label + 4};
}

TheatreGeometry lay_out_class(TheatreGeometry out, const TheatreModel& model, const TheatreRoom& room) {
    QRectF box = out.area;
    const double code = std::min(3 * room.line, box.height() * 0.36);
    lay_code(out, model, room, {box.left(), box.top(), box.width(), code});
    box.setTop(box.top() + code + 12);
    if (model.level != Level::kernel && !model.shuffles) { // those are seen in the grid, and in the shuffle's own picture
        lay_lanes(out, model, room, box);
        box.setTop(box.top() + 4);
    }
    lay_memory(out, model, room, box);
    return out;
}

} // namespace

QRectF TheatreGeometry::word_rect(std::size_t turn_number, int bank_number) const {
    return {banks.left() + bank_number * bank, banks.top() + static_cast<double>(turn_number) * turn, bank, turn};
}

const TheatreGeometry::CodeRow* TheatreGeometry::row_of(std::int32_t line) const {
    for (const CodeRow& row : rows)
        if (row.line == line) return &row;
    return nullptr;
}

double TheatreGeometry::x_of(std::int64_t turns_done, const QRectF& strip, std::int64_t from, std::int64_t until) const {
    const double share = static_cast<double>(turns_done - from) / static_cast<double>(std::max<std::int64_t>(1, until - from));
    return strip.left() + std::clamp(share, 0.0, 1.0) * strip.width();
}

TheatreGeometry lay_out_theatre(const TheatreModel& model, const TheatreRoom& room, const QRectF& area) {
    TheatreGeometry out;
    out.area = area;
    if (!model.there() || area.width() < 120 || area.height() < 3 * room.line) return out;
    if (room.sparse) return lay_out_class(out, model, room);
    QRectF box = area;
    box.setTop(box.top() + lay_ways(out, room, room.where));
    if (model.block && area.height() >= 340) {
        const double foot = 2 * room.strip + 14 + (area.height() >= 460 ? room.label + 4 : 0);
        lay_foot(out, model, room, {box.left(), box.bottom() - foot, box.width(), foot});
        box.setBottom(box.bottom() - foot - gap);
    }
    QRectF code, stage;
    if (area.width() >= wide || !model.block) {
        const double share = model.block ? std::round(std::max(box.width() * 0.5, std::min(box.width() - 700, 760.0))) : box.width();
        code = {box.left(), box.top(), share, box.height()};
        stage = {code.right() + column_gap, box.top(), box.right() - code.right() - column_gap, box.height()};
    } else {
        // On a projector there is little room: then three lines are enough, as for a class, and memory is seen.
        const bool launch = model.level == Level::kernel, low = box.height() < 260 && !launch; // a launch shows but its grid beside
        const int few = model.last_line - model.line <= 2 ? 2 : 3; // the brace at the end says nothing
        const double lines = std::min<double>(rows_of_function(model, room, box.width()) + 1, low ? few : std::floor(box.height() * (launch ? 0.6 : 0.38) / room.line));
        const double editor = std::min(std::max(300.0, box.height() * 0.6), box.height());
        const std::size_t rows = room.secret ? 1 : std::min<std::size_t>(model.findings.size(), low ? 1 : 2);
        const double found = rows ? finding_height(room, low ? 1 : finding_lines(room, box.width())) * static_cast<double>(rows) + 8 : 0; // beside the code, not for it
        code = {box.left(), box.top(), box.width(), room.editing ? editor : lines * room.line + found + (has_counters(room, box.width()) ? room.label + 4 : 0)};
        stage = {box.left(), code.bottom() + gap, box.width(), box.bottom() - code.bottom() - gap};
    }
    out.editor = code;
    lay_lists(out, model, room, code);
    lay_code(out, model, room, code);
    if (!model.block) return out;
    if (model.bits && stage.height() < 14 * room.label) { // the one lane whose bits these are is named above them
        lay_memory(out, model, room, stage);
        return out;
    }
    if (model.level == Level::kernel) { // a launch is more than one warp: its grid is seen
        lay_memory(out, model, room, stage);
        return out;
    }
    lay_lanes(out, model, room, stage);
    const double locals = stage.height() > 260 ? 2 * (room.label + 2) : room.label + 2;
    if (stage.height() < room.label + 2) return out;
    if (stage.height() >= locals + gap + 2.5 * room.label) { // where there is no room for both, memory is seen and variables are not
        out.locals = {stage.left(), stage.top(), stage.width(), locals};
        stage.setTop(out.locals.bottom() + gap);
    }
    lay_memory(out, model, room, stage);
    if (out.locals.isNull() && !out.sectors.empty()) { // below it, where it does not need all of its room
        double bottom = stage.top();
        for (const TheatreGeometry::Sector& sector : out.sectors) bottom = std::max(bottom, sector.rect.bottom());
        if (out.memory_foot.height() > 0) bottom = std::max(bottom, out.memory_foot.bottom());
        if (!out.more.isNull()) bottom = std::max(bottom, out.more.bottom());
        const double one = room.label + 2;
        if (stage.bottom() - bottom >= one + 2) out.locals = {stage.left(), stage.bottom() - one, stage.width(), one};
    }
    return out;
}

} // namespace gradus
