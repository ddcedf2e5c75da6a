// The counts of both rungs in rows, as many as have room.
#include "views/rungs/rungs_geometry.hpp"

#include <QStringList>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double widest_bar = 56, least_bar = 24;

/// The most telling first, where not all have room.
std::vector<std::size_t> chosen_counts(const std::vector<RungCount>& counts, std::size_t most) {
    static const QStringList order{"sectors", "modelled_seconds", "wavefronts", "flops_per_byte", "multiply_adds", "warp_instructions", "barriers", "bytes_memory",
                                   "bytes_shared", "bytes_l2", "launches", "global_requests", "shared_requests", "plain_seconds"};
    std::vector<std::size_t> out;
    for (const QString& id : order)
        for (std::size_t i = 0; i < counts.size() && out.size() < most; ++i)
            if (counts[i].id == id) out.push_back(i);
    std::sort(out.begin(), out.end());
    return out;
}

/// Of one column of rows without its bars.
double words_width(const RungsRoom& room) { return room.name + 2 * room.value + room.change + 3 * rungs_gap; }
std::size_t columns_of(const RungsRoom& room, double width) { return width >= 2 * words_width(room) + rungs_column_gap ? 2 : 1; }

} // namespace

double rungs_table_width(const RungsRoom& room) { return words_width(room) + (room.sparse ? 0 : widest_bar + rungs_gap); }

void lay_rungs_table(RungsGeometry& out, const RungsModel& model, const RungsRoom& room, const QRectF& box) {
    constexpr double least_name = 30; // the rest of it is left out, rather than digits
    if (model.counts.empty() || box.height() < 2 * room.table || box.width() < least_name + 2 * (room.value + rungs_gap)) return;
    const std::size_t columns = columns_of(room, box.width());
    const auto lines = static_cast<std::size_t>(std::floor(box.height() / room.table)) - 1; // below the head
    std::vector<std::pair<std::size_t, bool>> rows;
    std::size_t ideals = 0;
    for (const RungCount& count : model.counts) ideals += count.ideal[0] || count.ideal[1];
    const std::vector<std::size_t> chosen = chosen_counts(model.counts, std::min(room.most_counts, lines * columns));
    const bool with_ideals = !room.sparse && chosen.size() == model.counts.size() && chosen.size() + ideals <= lines * columns;
    for (const std::size_t i : chosen) {
        rows.emplace_back(i, false);
        if (with_ideals && (model.counts[i].ideal[0] || model.counts[i].ideal[1])) rows.emplace_back(i, true);
    }
    std::size_t per_column = (rows.size() + columns - 1) / columns;
    if (per_column < std::min(rows.size(), lines) && rows[per_column].second) ++per_column; // what would do stands below what is
    const double width = (box.width() - static_cast<double>(columns - 1) * rungs_column_gap) / static_cast<double>(columns);
    const bool changes = width >= words_width(room) - 1;
    const double bar = std::min(width - words_width(room) - rungs_gap, widest_bar);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double left = box.left() + static_cast<double>(i / per_column) * (width + rungs_column_gap), top = box.top() + static_cast<double>(i % per_column + 1) * room.table;
        RungsGeometry::TableRow row;
        row.count = rows[i].first, row.ideal = rows[i].second;
        row.rect = {left, top, width, room.table};
        double right = row.rect.right();
        if (changes) row.change = {right - room.change, top, room.change, room.table}, right = row.change.left() - rungs_gap;
        if (!room.sparse && bar >= least_bar) row.bar = {right - bar, top, bar, room.table}, right = row.bar.left() - rungs_gap;
        const double value = room.value + (changes ? std::max(0.0, (right - left - room.name - 2 * room.value - rungs_gap) / 4) : 0);
        row.values[1] = {right - value, top, value, room.table};
        row.values[0] = {right - 2 * value - rungs_gap, top, value, room.table};
        row.name = {left, top, std::max(0.0, row.values[0].left() - rungs_gap / 2 - left), room.table};
        if (i % per_column == 0) out.table_heads.push_back({left, box.top(), width, room.table});
        out.table.push_back(row);
    }
}

double rungs_table_height(const RungsModel& model, const RungsRoom& room, double width, double most) {
    const std::size_t columns = columns_of(room, width);
    std::size_t rows = std::min(room.most_counts, model.counts.size());
    const auto lines = [&](std::size_t count) { return static_cast<double>((count + columns - 1) / columns + 1) * room.table; };
    for (const RungCount& count : model.counts)
        if ((count.ideal[0] || count.ideal[1]) && room.most_counts > model.counts.size() && lines(rows + 1) <= most) ++rows;
    if (columns == 2 && rows > model.counts.size()) rows += 2; // the first column may have to be the longer one
    return std::min(lines(rows), std::max(0.0, std::floor(most / room.table) * room.table));
}

} // namespace gradus
