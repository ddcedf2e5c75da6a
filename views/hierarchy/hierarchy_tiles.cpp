#include "views/hierarchy/hierarchy_tiles.hpp"

#include "engine/trace/derive/kernel_coverage.hpp"
#include "engine/trace/derive/level_traffic.hpp"
#include "views/theme/color_map.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/provenance_mark.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <QImage>
#include <algorithm>
#include <cmath>

namespace gradus {

QColor place_colour(std::size_t place, const Theme& theme) {
    constexpr std::size_t l1 = 2;
    if (place == l1) return mixed(theme.memory[1], theme.memory[2], 0.5);
    return theme.memory[place < l1 ? place : place - 1];
}

namespace {

constexpr std::int64_t longest_row = 64;  // of a vector that is not folded
constexpr std::int64_t banks = 32;        // a row of folded shared memory
constexpr double least_picture = 10, least_row = 22, widest_cell = 18, between = 14, before_label = 8;

std::size_t place(MemoryLevel level) { return static_cast<std::size_t>(level); }

struct Ends {
    MemoryLevel from, to;
};
Ends ends_of(TileWay way) {
    switch (way) {
    case TileWay::load: return {MemoryLevel::memory, MemoryLevel::registers};
    case TileWay::store: return {MemoryLevel::registers, MemoryLevel::memory};
    case TileWay::shared_load: return {MemoryLevel::shared, MemoryLevel::registers};
    case TileWay::shared_store: return {MemoryLevel::registers, MemoryLevel::shared};
    case TileWay::copy: return {MemoryLevel::memory, MemoryLevel::shared};
    }
    return {MemoryLevel::memory, MemoryLevel::registers};
}

/// A vector is folded into rows: of shared memory, so that a row is its 32 banks.
std::int64_t columns_of(const TileArray& array) {
    const std::int64_t elements = array.rows * array.columns;
    if (std::min(array.rows, array.columns) > 1 || elements <= longest_row) return array.columns;
    if (array.space == simt::Space::shared) return banks;
    return banks * std::max<std::int64_t>(1, std::llround(std::sqrt(2.0 * static_cast<double>(elements)) / static_cast<double>(banks)));
}

/// "A[0:16,32:48]" where what is touched fills a rectangle of a buffer, else its name.
QString where_of(const KernelTrace& trace, const TileArray& array, const std::vector<std::int64_t>& elements) {
    const std::string rectangle = array.space == simt::Space::global ? rectangle_name(trace.ranges[array.range], elements) : std::string();
    return QString::fromStdString(rectangle.empty() ? array.name : rectangle);
}

QFont flow_font(bool now) { return mono_font(metrics::text - 1, now ? QFont::Bold : QFont::Normal); }
/// In front of a flow's number, with the room behind it.
double square(const TextMetrics& fm) { return 1.6 * fm.capHeight(); }

/// A cell takes two pixels at the least, so that a tile of a large matrix is seen.
QImage image_of(const HierarchyTiles::Picture& picture, QSize size, double ratio, const QColor& colour, const Theme& theme) {
    QImage out(size, QImage::Format_ARGB32_Premultiplied);
    out.fill(theme.surface);
    const auto edge = [](std::int64_t at, std::int64_t of, int pixels) { return static_cast<int>(at * pixels / of); };
    const double cell = std::min(static_cast<double>(size.width()) / static_cast<double>(picture.columns), static_cast<double>(size.height()) / static_cast<double>(picture.rows));
    const int gap = cell >= 5 * ratio ? static_cast<int>(ratio) : 0;
    const std::array fills{mixed(theme.surface, colour, 0.28).rgba(), mixed(theme.surface, colour, 0.7).rgba(), theme.ink.rgba()};
    for (const HierarchyTiles::Cell& each : picture.cells) {
        const int left = edge(each.column, picture.columns, size.width()), top = edge(each.row, picture.rows, size.height());
        const int right = std::min(size.width(), std::max(left + 2, edge(each.column + 1, picture.columns, size.width()) - gap));
        const int bottom = std::min(size.height(), std::max(top + 2, edge(each.row + 1, picture.rows, size.height()) - gap));
        for (int y = top; y < bottom; ++y) {
            auto* line = reinterpret_cast<QRgb*>(out.scanLine(y));
            std::fill(line + left, line + right, fills[static_cast<std::size_t>(each.state)]);
        }
    }
    return out;
}

} // namespace

std::optional<HierarchyTiles> tiles_at(const TileMotion& motion, std::size_t step) {
    const KernelBlock& block = motion.block();
    if (motion.arrays().empty() || step < block.begin() || step >= block.end()) return std::nullopt;
    HierarchyTiles out;
    const std::size_t number = motion.phase_of(step);
    out.phase = static_cast<std::int64_t>(number), out.phases = static_cast<std::int64_t>(motion.phases());
    out.lanes = block.trace().log.mask[step];
    std::vector<std::vector<std::int64_t>> touched(motion.arrays().size()); // in this phase so far
    for (const TileArray& array : motion.arrays()) {
        HierarchyTiles::Picture picture;
        picture.place = place(array.space == simt::Space::shared ? MemoryLevel::shared : MemoryLevel::memory);
        picture.name = QString::fromStdString(array.name);
        picture.columns = columns_of(array);
        picture.rows = (array.rows * array.columns + picture.columns - 1) / picture.columns;
        out.pictures.push_back(std::move(picture));
    }
    const auto add = [&](const BlockPhase::Touch& touch, HierarchyTiles::State state) {
        HierarchyTiles::Picture& picture = out.pictures[touch.array];
        picture.cells.push_back({touch.element / picture.columns, touch.element % picture.columns, state});
    };
    if (number > 0)
        for (const BlockPhase::Touch& touch : motion.phase(number - 1).touches) add(touch, HierarchyTiles::State::before);
    for (const BlockPhase::Touch& touch : motion.phase(number).touches) {
        if (touch.first > step) continue;
        add(touch, HierarchyTiles::State::phase);
        touched[touch.array].push_back(touch.element);
    }
    for (const BlockPhase::Touch& touch : motion.touched_by(step)) add(touch, HierarchyTiles::State::step);
    for (std::size_t i = 0; i < touched.size(); ++i) out.pictures[i].where = where_of(block.trace(), motion.arrays()[i], touched[i]);
    const TileBytes moved = motion.moved(step);
    const std::optional<TileWay> now = motion.way_of(step);
    for (std::size_t i = 0; i < tile_ways; ++i) {
        const auto way = static_cast<TileWay>(i);
        if (moved[i] == 0 && now != way) continue;
        const Ends ends = ends_of(way);
        out.flows.push_back({way, place(ends.from), place(ends.to), static_cast<double>(moved[i]), now == way});
    }
    return out;
}

TilesGeometry lay_out_tiles(const HierarchyTiles& tiles, const std::vector<QRectF>& rows, const TilesRoom& room) {
    TilesGeometry out;
    out.pictures.resize(tiles.pictures.size()), out.labels.resize(tiles.pictures.size()), out.flows.resize(tiles.flows.size());
    if (rows.size() < memory_levels.size() || rows.front().width() < 4 * least_picture + room.arrow || rows.front().height() < least_row) return out;
    const bool words = rows.front().width() - room.flow - room.arrow - between >= 100;
    double reach = 0; // of what is pictured
    const double left = rows.front().left(), right = rows.front().right() - room.arrow - (words ? room.flow + between : 0);
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const QRectF& row = rows[place];
        const auto count = static_cast<double>(std::count_if(tiles.pictures.begin(), tiles.pictures.end(), [&](const auto& each) { return each.place == place; }));
        if (count == 0) continue;
        const double slot = (right - left - (count - 1) * between) / count;
        if (slot < least_picture) continue;
        const auto cell_of = [&](const HierarchyTiles::Picture& each, double height) {
            const double cell = std::min({slot / static_cast<double>(each.columns), height / static_cast<double>(each.rows), widest_cell});
            return cell >= 1 ? std::floor(cell) : cell;
        };
        bool beside = true; // its name stands at its right, or, where that has no room, above
        for (std::size_t i = 0; i < tiles.pictures.size(); ++i)
            if (const HierarchyTiles::Picture& each = tiles.pictures[i]; each.place == place)
                beside = beside && static_cast<double>(each.columns) * cell_of(each, row.height()) + before_label + room.names[i] <= slot;
        const bool label = beside || row.height() >= room.label + least_row;
        const double top = row.top() + (label && !beside ? room.label : 0);
        double x = left;
        for (std::size_t i = 0; i < tiles.pictures.size(); ++i) {
            const HierarchyTiles::Picture& each = tiles.pictures[i];
            if (each.place != place) continue;
            const double size = cell_of(each, row.bottom() - top);
            const QSizeF picture(std::max(least_picture, size * static_cast<double>(each.columns)), std::max(std::min(least_picture, row.bottom() - top), size * static_cast<double>(each.rows)));
            out.pictures[i] = QRectF(QPointF(std::round(x), std::round(top)), picture);
            if (label && beside) out.labels[i] = {out.pictures[i].right() + before_label, row.center().y() - room.label / 2, slot - out.pictures[i].width() - before_label, room.label};
            else if (label) out.labels[i] = {std::round(x), row.top(), slot, room.label};
            reach = std::max({reach, out.pictures[i].right(), label ? out.labels[i].left() + std::min(out.labels[i].width(), room.names[i]) : 0.0});
            x += slot + between;
        }
    }
    const QRectF& registers = rows[place(MemoryLevel::registers)];
    const double lane = std::floor(std::min({(right - left) / 16, registers.height() / 2, widest_cell}));
    for (int i = 0; lane >= 4 && i < 32; ++i) out.lanes.push_back({std::round(left) + i % 16 * lane, std::round(registers.center().y()) + (i / 16 - 1) * lane, lane, lane});
    if (!out.lanes.empty()) reach = std::max(reach, out.lanes[15].right());
    const double way = std::min(right, reach) + between / 2; // of the step, beside what it moves
    for (std::size_t place = 0; words && place < rows.size(); ++place) {
        double y = rows[place].top();
        for (std::size_t i = 0; i < tiles.flows.size(); ++i) {
            if (tiles.flows[i].to != place) continue;
            if (y + room.label > rows[place].bottom() + 1) break;
            out.flows[i] = {way + room.arrow + between / 2, y, room.flow, room.label};
            y += room.label;
        }
    }
    for (const HierarchyTiles::Flow& flow : tiles.flows) {
        if (!flow.now) continue;
        const double from = rows[flow.from].center().y(), to = rows[flow.to].center().y();
        out.arrow = {way, std::min(from, to), room.arrow, std::abs(to - from)};
        out.upwards = to < from;
    }
    return out;
}

QFont tile_font() { return mono_font(metrics::small_text); }

double flow_width(const HierarchyTiles::Flow& flow) {
    const TextMetrics fm(flow_font(true));
    return square(fm) + provenance_width(Provenance::counted, fm.capHeight()) + fm.horizontalAdvance(with_prefix(flow.bytes, "B")) + 1;
}

namespace {

void paint_picture(QPainter& painter, const HierarchyTiles::Picture& picture, const QRectF& box, const QRectF& label, const Theme& theme, bool sparse) {
    const double ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    const QColor colour = place_colour(picture.place, theme);
    painter.drawImage(box, image_of(picture, (box.size() * ratio).toSize().expandedTo({1, 1}), ratio, colour, theme));
    painter.setPen(QPen(colour, sparse ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(-0.5, -0.5, 0.5, 0.5));
    if (label.isNull()) return;
    const TextMetrics fm(tile_font());
    const bool whole = fm.horizontalAdvance(picture.where) <= label.width();
    QString name = picture.name;
    if (fm.horizontalAdvance(name) > label.width() && name.endsWith(QLatin1String("_tile"))) name.chop(5); // of several tiles it tells them apart
    painter.setFont(tile_font());
    painter.setPen(theme.ink);
    draw_text(painter, label, Qt::AlignLeft | Qt::AlignVCenter, whole ? picture.where : fm.elidedText(name, Qt::ElideRight, label.width()));
}

void paint_flow(QPainter& painter, const HierarchyTiles::Flow& flow, const QRectF& box, const Theme& theme) {
    const QFont font = flow_font(flow.now);
    const TextMetrics fm(font);
    const double height = fm.capHeight(), base = std::round(box.center().y() + height / 2), after = box.left() + square(fm);
    const QColor colour = flow.now ? theme.ink : theme.ink2;
    fill_bar(painter, QRectF(box.left(), base - height, height, height), place_colour(flow.from, theme));
    paint_provenance(painter, {after, base}, Provenance::counted, height, colour);
    painter.setFont(font);
    painter.setPen(colour);
    draw_text(painter, QPointF(after + provenance_width(Provenance::counted, height), base), with_prefix(flow.bytes, "B"));
}

void paint_arrow(QPainter& painter, const QRectF& box, bool upwards, const Theme& theme, bool sparse) {
    const double x = std::round(box.center().x()), from = upwards ? box.bottom() : box.top(), to = upwards ? box.top() : box.bottom();
    const double head = sparse ? 12 : 7, back = upwards ? head : -head;
    painter.setPen(QPen(theme.ink, sparse ? 4 : 2, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(x, from), QPointF(x, to + back));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ink);
    const QPointF tip[] = {{x, to}, {x - head * 0.7, to + back}, {x + head * 0.7, to + back}};
    painter.drawPolygon(tip, 3);
    painter.drawEllipse(QPointF(x, from), head * 0.5, head * 0.5);
}

} // namespace

void paint_tiles(QPainter& painter, const HierarchyTiles& tiles, const TilesGeometry& at, const Theme& theme, bool sparse) {
    for (std::size_t i = 0; i < tiles.pictures.size(); ++i)
        if (!at.pictures[i].isNull()) paint_picture(painter, tiles.pictures[i], at.pictures[i], at.labels[i], theme, sparse);
    for (std::size_t i = 0; i < at.lanes.size(); ++i) {
        painter.setPen(QPen(theme.ink3, 1));
        painter.setBrush(tiles.lanes >> i & 1 ? QBrush(theme.ink) : QBrush(Qt::NoBrush));
        painter.drawRect(at.lanes[i].adjusted(0.5, 1.5, -2.5, -1.5));
    }
    for (std::size_t i = 0; i < tiles.flows.size(); ++i)
        if (!at.flows[i].isNull()) paint_flow(painter, tiles.flows[i], at.flows[i], theme);
    if (!at.arrow.isNull()) paint_arrow(painter, at.arrow, at.upwards, theme, sparse);
}

} // namespace gradus
