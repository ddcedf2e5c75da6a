#include "views/tensor/tensor_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace gradus {

namespace {

constexpr double legend_width = 94, name_line = 16, least_cell = 4, least_dot = 1.5, framed_cell = 9; // pixels
constexpr double widest_cell = 200, highest_cell = 64, connector = 14, tile_gap = 6, label_height = 14;
constexpr double least_tile_gap = 2, framed_tile_gap = 6, most_tile_gap = 8; // from a picture, which may be framed, to the line of the number below
constexpr double above_toggle = 8; // from the legend
constexpr double above_caption = 6; // from the pictures: the line itself has room above its letters
constexpr double letter_width = 12; // pixels: a letter left of the numbers, and as far as they
constexpr double least_bars = 36, most_bars = 260; // pixels
constexpr Dim few_numbers = 32; // they stand there themselves: their histogram would say less
constexpr Dim few_in_class = 64; // which needs the room

double digits_width(Dim most) { return 7.0 * static_cast<double>(std::to_string(std::max<Dim>(most, 1) - 1).size()); }

/// Takes a piece off the lower edge, `gap` above it left free.
QRectF cut_below(QRectF& room, double height, double gap) {
    const QRectF piece(room.left(), room.bottom() - height, room.width(), height);
    room.setBottom(piece.top() - gap);
    return piece;
}

void place_bottom(TensorGeometry& g, QRectF& room) {
    const bool few = g.contents.form == TensorContents::Form::matrix && g.contents.rows * g.contents.columns <= (g.contents.unpointed ? few_in_class : few_numbers);
    if (g.contents.unpointed && few) return;
    if (g.contents.aspect > 0) { // the picture says more than a histogram
        if (!g.contents.unpointed && room.height() >= 150 && room.width() >= 200) g.card = cut_below(room, std::clamp(room.height() * 0.11, 46.0, 110.0), 12);
    } else if (room.height() >= 190 && room.width() >= 200) {
        const double height = std::clamp(room.height() * 0.32, 74.0, 190.0);
        g.card = cut_below(room, height, 12);
        if (g.contents.explained) return;
        if (g.contents.unpointed) {
            g.histogram = std::exchange(g.card, QRectF());
        } else if (room.width() >= 300 && !few) {
            const double width = std::clamp(room.width() * 0.42, 130.0, 440.0);
            g.histogram = g.card.adjusted(g.card.width() - width, 0, 0, 0);
            g.card.setRight(g.histogram.left() - 16);
        }
    } else if (room.height() >= 84) {
        g.card = cut_below(room, 20, 6);
    }
}

/// Pictures in a wide room keep its height: what is said about them stands on the right.
bool stands_beside(const TensorGeometry& g, const QRectF& room) {
    if (g.contents.explained) return false; // words need width
    if (g.contents.aspect > 0) return room.width() >= 420 && room.height() >= 150 && room.width() >= 1.35 * room.height();
    return g.contents.form == TensorContents::Form::pictures && room.width() >= 560 && room.height() >= 170 &&
           room.width() >= 1.9 * room.height();
}

void place_beside(TensorGeometry& g, QRectF& room) {
    const double natural = g.contents.aspect > 0 ? room.width() - room.height() - legend_width - 40 : room.width() * 0.22; // what a square leaves
    const double width = std::clamp(natural, 150.0, 440.0);
    const QRectF column(room.right() - width, room.top(), width, room.height());
    room.setRight(column.left() - 20);
    g.histogram = QRectF(column.left(), column.top(), width, std::clamp(column.height() * 0.55, 90.0, 240.0));
    if (!g.contents.unpointed)
        g.card = QRectF(column.left(), g.histogram.bottom() + 12, width, std::min(210.0, column.bottom() - g.histogram.bottom() - 12));
}

/// What the map left free goes to what stands below it; the rest stays empty at the lower edge.
void close_up(TensorGeometry& g) {
    const QRectF& lowest = g.column_name.isNull() ? g.column_labels : g.column_name;
    const double under = (lowest.isNull() ? g.map.bottom() : lowest.bottom()) + 6;
    double below = std::max(under, g.legend.isNull() ? under : g.legend.bottom() + (g.toggle.isNull() ? 6 : above_toggle + 3));
    if (g.map.isNull()) return;
    if (!g.caption.isNull() && below < g.caption.top()) {
        g.toggle.moveTop(g.toggle.top() + below - g.caption.top());
        g.caption.moveTop(below);
    }
    if (!g.toggle.isNull() && !g.legend.isNull() && g.legend.right() > g.toggle.left()) g.legend.setBottom(std::min(g.legend.bottom(), g.toggle.top() - above_toggle));
    if (!g.caption.isNull()) below = g.caption.bottom() + 10;
    const QRectF lower = g.card.isNull() ? g.histogram : g.card;
    if (lower.isNull() || below >= lower.top() || lower.left() > g.map.right()) return;
    const double height = lower.height() < 40 ? lower.height() : std::min(lower.bottom() - below, std::max(lower.height(), 210.0));
    for (QRectF* part : {&g.card, &g.histogram})
        if (!part->isNull()) *part = QRectF(part->left(), below, part->width(), height);
}

/// Cells whole pixels wide where they are large enough that it shows.
double whole(double cell) { return cell >= 12 ? std::floor(cell) : cell; }

void place_matrix(TensorGeometry& g, const TensorZoom& zoom, QRectF room) {
    const Dim rows = g.contents.rows, columns = g.contents.columns;
    if (rows < 1 || columns < 1 || room.width() < 4 || room.height() < 4) return;
    // Until one zooms in, a grid is seen whole, however small its cells, as long as each is a dot that is seen.
    const double least = zoom.cell > 0 ? std::min(zoom.cell, highest_cell) : rows == columns || g.contents.aspect > 0 ? least_dot : least_cell;
    const double fit_width = room.width() / static_cast<double>(columns);
    const double fit_height = room.height() / static_cast<double>(rows);
    const bool fits = (fit_width >= least && fit_height >= least) || room.height() < 44 || room.width() < 60;
    if (fits) {
        g.cell_width = whole(std::min(fit_width, widest_cell));
        const bool barred = rows == 1 && columns > 1 && columns <= few_numbers; // its bars need the greater part
        const double highest = barred ? std::clamp(0.4 * room.height(), std::min(22.0, room.height()), highest_cell) : highest_cell;
        g.cell_height = whole(std::min({fit_height, highest, std::max(14.0, g.cell_width * 4)}));
        if (g.contents.aspect > 0) { // as long for a unit down as for one across
            g.cell_width = whole(std::min(fit_width, fit_height / g.contents.aspect));
            g.cell_height = g.cell_width * g.contents.aspect;
        }
        g.window = {0, 0, rows, columns};
    } else {
        const double natural = room.width() * static_cast<double>(rows) / static_cast<double>(columns);
        g.overview = QRectF(room.left(), room.top(), room.width(),
                            std::round(std::clamp(natural, 14.0, std::clamp(room.height() * 0.3, 14.0, 120.0))));
        room.setTop(g.overview.bottom() + connector);
        const double cell = zoom.cell > 0 ? least : framed_cell;
        // More of an axis than there is need not be shown: its cells grow instead, up to a point.
        g.cell_width = whole(std::clamp(room.width() / static_cast<double>(columns), cell, std::max(cell * 1.6, 36.0)));
        g.cell_height = whole(std::clamp(room.height() / static_cast<double>(rows), std::min(cell, room.height()), std::max(cell * 1.6, 14.0)));
        const auto most = [](double length, double size, Dim all) {
            return std::clamp(static_cast<Dim>(length / size), Dim{1}, all);
        };
        g.window.rows = most(room.height(), g.cell_height, rows);
        g.window.columns = most(room.width(), g.cell_width, columns);
        g.window.row = std::clamp(zoom.row, Dim{0}, rows - g.window.rows);
        g.window.column = std::clamp(zoom.column, Dim{0}, columns - g.window.columns);
        g.overview.setWidth(static_cast<double>(g.window.columns) * g.cell_width); // the whole ends where its part ends
        const double x = g.overview.width() / static_cast<double>(columns), y = g.overview.height() / static_cast<double>(rows);
        g.frame = QRectF(g.overview.left() + static_cast<double>(g.window.column) * x,
                         g.overview.top() + static_cast<double>(g.window.row) * y,
                         static_cast<double>(g.window.columns) * x, static_cast<double>(g.window.rows) * y);
    }
    g.map = QRectF(room.left(), room.top(), static_cast<double>(g.window.columns) * g.cell_width,
                   static_cast<double>(g.window.rows) * g.cell_height);
}

/// A row of few numbers leaves most of its room: its bars stand there, on their cells.
void place_bars(TensorGeometry& g, const QRectF& room) {
    constexpr double gap = 8; // a bar that goes down must not run into its cell
    const double free = room.height() - g.map.height() - gap;
    if (g.map.isNull() || g.contents.rows != 1 || g.contents.columns < 2 || g.contents.columns > few_numbers || free < least_bars) return;
    g.bars = QRectF(g.map.left(), g.map.top(), g.map.width(), std::min(free, std::max(most_bars, 0.5 * room.height())));
    g.map.moveTop(g.bars.bottom() + gap);
}

void place_pictures(TensorGeometry& g, const TensorZoom& zoom, const QRectF& room) {
    const auto side = static_cast<double>(g.contents.side);
    if (g.contents.pictures < 1 || side < 1 || room.width() < side || room.height() < side + label_height) return;
    const double least_gap = g.contents.unpointed ? least_tile_gap : framed_tile_gap;
    const auto hold = [&](double scale) { // how many pictures of that scale there is room for: across, down
        const double tile = side * scale + tile_gap;
        return std::pair{static_cast<Dim>((room.width() + tile_gap) / tile),
                         static_cast<Dim>((room.height() + least_gap) / (tile - tile_gap + label_height + least_gap))};
    };
    constexpr Dim few = 24; // they are all shown, if need be a little smaller than pixels would have it
    const Dim wanted = std::min<Dim>(g.contents.pictures, 64);
    for (const double scale : {8.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.75, 1.5, 1.0}) {
        const auto [across, down] = hold(scale);
        const bool all = across * down >= wanted, some = scale <= 2 && wanted > few && across * down >= 18;
        if (!all && !some && scale > 1) continue;
        g.scale = scale;
        g.across = std::max<Dim>(1, across);
        const double high = side * scale + label_height, rows = static_cast<double>(std::max<Dim>(1, down));
        g.tile = QSizeF(side * scale + tile_gap, high + (rows > 1 ? std::clamp(std::floor((room.height() - rows * high) / (rows - 1)), least_gap, most_tile_gap) : most_tile_gap));
        const Dim count = g.across * std::max<Dim>(1, down);
        const Dim last_row = (g.contents.pictures - 1) / g.across - std::max<Dim>(1, down) + 1;
        g.first = std::clamp(zoom.picture / g.across, Dim{0}, std::max(Dim{0}, last_row)) * g.across;
        g.shown = std::min(count, g.contents.pictures - g.first);
        break;
    }
    const Dim lines = (g.shown + g.across - 1) / g.across;
    g.map = QRectF(room.left(), room.top(),
                   static_cast<double>(std::min(g.across, g.shown)) * g.tile.width() - tile_gap,
                   (static_cast<double>(lines) - 1) * g.tile.height() + side * g.scale + label_height);
}

} // namespace

TensorGeometry lay_out(const TensorContents& contents, const TensorZoom& zoom, const QRectF& area) {
    TensorGeometry g;
    g.contents = contents;
    QRectF room = area;
    if (room.width() < 24 || room.height() < 16) return g;
    if (contents.form == TensorContents::Form::number) {
        if (room.height() >= 130) g.card = cut_below(room, std::clamp(room.height() * 0.4, 74.0, 150.0), 12);
        g.number = room;
        return g;
    }
    if (contents.sliced && room.height() >= 60) {
        g.slices = QRectF(room.left(), room.top(), room.width(), 22);
        room.setTop(room.top() + 30);
    }
    stands_beside(g, room) ? place_beside(g, room) : place_bottom(g, room);
    if (room.height() >= 72 && room.width() >= 120) {
        const bool pictures = contents.form == TensorContents::Form::pictures; // a caption right under them would look as if it cut their last row
        const QRectF& lower = g.card.isNull() ? g.histogram : g.card;
        if (pictures && !lower.isNull() && lower.top() >= room.bottom()) room.setBottom(room.bottom() + above_caption - 2); // what stands below gives way
        g.caption = cut_below(room, name_line, pictures ? above_caption : 2);
        if (contents.toggles && room.width() >= 200) {
            g.toggle = QRectF(room.right() - 76, g.caption.top() - 3, 76, 20);
            g.caption.setRight(g.toggle.left() - 8);
        }
    }
    const auto place_cells = [&](QRectF cells) {
        const bool ticks = cells.height() >= 30 && cells.width() >= 60;
        const bool grid = ticks && contents.aspect > 0 && cells.height() >= 90 && cells.width() >= 120;
        const bool named = grid || (ticks && contents.aspect <= 0 && contents.named && cells.height() >= 100);
        const double letter = contents.row_letter && !grid && cells.height() >= 60 && cells.width() >= 120 ? letter_width : 0;
        const double left = (ticks && contents.rows > 1 ? std::max(contents.aspect > 0 ? 30.0 : 20.0, digits_width(contents.rows) + 8) + letter : 0) + (grid ? name_line : 0);
        if (ticks) cells.setBottom(cells.bottom() - (named ? 2 * name_line + 2 : name_line));
        cells.setLeft(cells.left() + left);
        place_matrix(g, zoom, cells);
        place_bars(g, cells);
        if (left > 0) g.row_labels = QRectF(cells.left() - left + (grid ? name_line : 0), g.map.top(), left - 6 - (grid ? name_line : 0), g.map.height());
        if (grid && !g.map.isNull()) g.row_name = QRectF(cells.left() - left, g.map.top(), name_line, g.map.height());
        if (named && !g.map.isNull()) g.column_name = QRectF(g.map.left(), g.map.bottom() + 2 + name_line, g.map.width(), name_line);
        if (ticks) g.column_labels = QRectF(g.map.left(), g.map.bottom() + 2, g.map.width(), name_line - 2);
    };
    if (contents.form == TensorContents::Form::matrix && contents.rows == 1 && zoom.cell == 0) { // bars with their numbers need no colours
        TensorGeometry plain = g;
        std::swap(plain, g);
        place_cells(room);
        g.numbered = !g.bars.isNull() && g.cell_width >= std::max(contents.number, cell_for_numbers) && g.cell_height >= cell_height_for_numbers;
        if (!g.numbered) std::swap(plain, g);
    }
    if (!g.numbered && room.width() >= 180 && room.height() >= 40) {
        g.legend = QRectF(room.right() - legend_width + 14, room.top(), legend_width - 14, room.height());
        room.setRight(room.right() - legend_width);
    }
    if (contents.form == TensorContents::Form::pictures) place_pictures(g, zoom, room);
    else if (!g.numbered) place_cells(room);
    if (!g.legend.isNull()) { // as high as the map, but with room for three numbers
        const double top = contents.form == TensorContents::Form::matrix ? g.map.top() : g.legend.top(); // not beside bars, which have no colours to read
        const double most = g.legend.bottom() - top;
        g.legend = most < 24 ? QRectF()
                             : QRectF(g.legend.left(), top, g.legend.width(),
                                      std::clamp(g.map.bottom() - top, std::min(46.0, most), std::min(200.0, most)));
        if (!g.legend.isNull() && !g.map.isNull()) g.legend.moveLeft(std::min(g.legend.left(), std::max(g.map.right(), g.overview.right()) + 14));
    }
    close_up(g);
    return g;
}

QRectF TensorGeometry::cell(Dim row, Dim column) const {
    return QRectF(map.left() + static_cast<double>(column - window.column) * cell_width,
                  map.top() + static_cast<double>(row - window.row) * cell_height, cell_width, cell_height);
}

std::optional<std::pair<Dim, Dim>> TensorGeometry::cell_at(QPointF point) const {
    if (bars.contains(point)) point.setY(map.center().y());
    if (contents.form != TensorContents::Form::matrix || !map.contains(point) || cell_width <= 0) return std::nullopt;
    const Dim row = window.row + static_cast<Dim>((point.y() - map.top()) / cell_height);
    const Dim column = window.column + static_cast<Dim>((point.x() - map.left()) / cell_width);
    if (!window.contains(row, column)) return std::nullopt;
    return std::pair{row, column};
}

QRectF TensorGeometry::picture(Dim which) const {
    if (contents.form != TensorContents::Form::pictures || which < first || which >= first + shown || across < 1)
        return {};
    const Dim at = which - first;
    const auto side = static_cast<double>(contents.side) * scale;
    return QRectF(map.left() + static_cast<double>(at % across) * tile.width(),
                  map.top() + static_cast<double>(at / across) * tile.height() + label_height, side, side);
}

std::optional<std::pair<Dim, Dim>> TensorGeometry::pixel_at(QPointF point) const {
    if (contents.form != TensorContents::Form::pictures || across < 1 || !map.contains(point)) return std::nullopt;
    const Dim which = first + static_cast<Dim>((point.y() - map.top()) / tile.height()) * across +
                       static_cast<Dim>((point.x() - map.left()) / tile.width());
    const QRectF where = picture(which);
    if (where.isNull() || !where.contains(point)) return std::nullopt;
    const auto within = [&](double length) { return std::min(static_cast<Dim>(length / scale), contents.side - 1); };
    return std::pair{which, within(point.y() - where.top()) * contents.side + within(point.x() - where.left())};
}

QRectF TensorGeometry::pixel(Dim which, Dim at) const {
    const QRectF where = picture(which);
    if (where.isNull()) return {};
    return QRectF(where.left() + static_cast<double>(at % contents.side) * scale,
                  where.top() + static_cast<double>(at / contents.side) * scale, scale, scale);
}

std::pair<Dim, Dim> TensorGeometry::cells_per_pixel() const {
    const auto per = [](double size) {
        return size > 0 ? std::max<Dim>(1, static_cast<Dim>(std::ceil(1 / size - 1e-9))) : Dim{1};
    };
    return {per(cell_height), per(cell_width)};
}

TensorZoom moved_to(const TensorGeometry& geometry, TensorZoom zoom, Dim row, Dim column) {
    zoom.row = std::clamp(row, Dim{0}, std::max(Dim{0}, geometry.contents.rows - geometry.window.rows));
    zoom.column = std::clamp(column, Dim{0}, std::max(Dim{0}, geometry.contents.columns - geometry.window.columns));
    return zoom;
}

TensorZoom bring_into_view(const TensorGeometry& geometry, TensorZoom zoom, Dim row, Dim column) {
    if (geometry.contents.form == TensorContents::Form::pictures) {
        if (geometry.picture(row).isNull()) zoom.picture = row;
        return zoom;
    }
    const CellWindow& window = geometry.window;
    const auto onto = [](Dim first, Dim count, Dim at) { // a part that is far away is brought to the middle
        if (at >= first && at < first + count) return first;
        const bool near = at >= first - 1 && at <= first + count;
        return near ? (at < first ? at : at - count + 1) : at - count / 2;
    };
    return moved_to(geometry, zoom, onto(window.row, window.rows, row), onto(window.column, window.columns, column));
}

} // namespace gradus
