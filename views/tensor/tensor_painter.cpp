#include "views/tensor/tensor_painter.hpp"

#include "views/state/picture_memory.hpp"
#include "views/tensor/tensor_axes.hpp"
#include "views/tensor/tensor_grid.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QCoreApplication>
#include <QPaintEngine>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gradus {

namespace {

constexpr double above_picture = 4; // pixels to the line its number stands on

using tensor_words::tr;

void paint_overview(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    if (g.overview.isNull()) return;
    const CellSource source = scene.shown.overview();
    const bool only_unwritten = scene.shown.unwritten_count > 0 && scene.shown.statistics.nans <= scene.shown.unwritten_count; // no value is no fault
    paint_heat(painter, g.overview, source, source.all(), scene.shown.statistics.outlier, scene.map, only_unwritten ? scene.theme.fill : scene.theme.fault);
    painter.setPen(QPen(scene.theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(g.overview.adjusted(-0.5, -0.5, 0.5, 0.5));
}

/// Three digits; compact without the 0 before the point.
QString cell_text(double value, bool compact) {
    QString text = three_digits(value);
    if (!std::isfinite(value)) return QChar(0x2715) + text;
    if (compact && (text.startsWith("0.") || text.startsWith("−0."))) text.remove(text.indexOf('0'), 1);
    return text;
}

void paint_cell_text(QPainter& painter, const TensorScene& scene, const QRectF& cell, double value, const QString& text) {
    const TextMetrics fm(painter.font());
    if (scene.geometry.numbered) painter.setPen(std::isfinite(value) ? scene.theme.ink : scene.theme.fault);
    else painter.setPen(std::isfinite(value) ? readable_on(scene.map.at(value), scene.theme) : scene.theme.surface);
    draw_text(painter, QPointF(cell.center().x() - fm.horizontalAdvance(text) / 2, cell.center().y() + fm.capHeight() / 2), text);
}

/// What dragging would make of the pinned cell, with its number where there is room.
void paint_candidate(QPainter& painter, const TensorScene& scene, const QRectF& cell) {
    painter.fillRect(cell, scene.geometry.numbered ? scene.theme.surface : QColor(scene.map.at(*scene.candidate)));
    painter.setFont(small_mono());
    for (const bool compact : {false, true}) {
        const QString text = cell_text(*scene.candidate, compact);
        if (cell.height() < cell_height_for_numbers || TextMetrics(painter.font()).horizontalAdvance(text) > cell.width() - 2) continue;
        return paint_cell_text(painter, scene, cell, *scene.candidate, text);
    }
}

/// A ✕ in cells that are not finite, numbers in cells that are wide enough.
void paint_cell_texts(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    if (g.cell_width < cell_for_numbers || g.cell_height < cell_height_for_numbers) return;
    const CellSource source = scene.shown.model.source();
    const QFont font = small_mono();
    painter.setFont(font);
    const TextMetrics fm(font);
    const QColor& line = scene.theme.line; // seen between zeros, too, which are as pale as the surface
    for (Dim c = g.window.column + 1; c < g.window.column + g.window.columns; ++c)
        painter.fillRect(QRectF(g.cell(g.window.row, c).left() - 0.5, g.map.top(), 1, g.map.height()), line);
    for (Dim r = g.window.row + 1; r < g.window.row + g.window.rows; ++r)
        painter.fillRect(QRectF(g.map.left(), g.cell(r, g.window.column).top() - 0.5, g.map.width(), 1), line);
    std::vector<QString> texts;
    double widest = 0;
    const auto words = [&](Dim row, Dim column, bool compact) {
        return scene.shown.is_unwritten(row, column) ? QString() : cell_text(source.at(row, column), compact);
    };
    for (const bool compact : {false, true}) { // all in one way: ".061" where one "0.0610" has no room
        texts.clear();
        widest = 0;
        for (Dim r = g.window.row; r < g.window.row + g.window.rows; ++r)
            for (Dim c = g.window.column; c < g.window.column + g.window.columns; ++c) {
                texts.push_back(words(r, c, compact));
                widest = std::max(widest, fm.horizontalAdvance(texts.back()));
            }
        if (widest <= g.cell_width - 4) break;
    }
    if (widest > g.cell_width - 2) return; // a number that is cut would be another number
    std::size_t next = 0;
    for (Dim r = g.window.row; r < g.window.row + g.window.rows; ++r)
        for (Dim c = g.window.column; c < g.window.column + g.window.columns; ++c) {
            if (!texts[next].isEmpty()) paint_cell_text(painter, scene, g.cell(r, c), source.at(r, c), texts[next]);
            ++next;
        }
}

/// From one line, that of 0, which lies where the row's numbers need it.
void paint_bars(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    if (g.bars.isNull()) return;
    const CellSource source = scene.shown.model.source();
    double least = 0, greatest = 0;
    for (Dim c = 0; c < g.contents.columns; ++c)
        if (const double value = source.at(0, c); std::isfinite(value)) least = std::min(least, value), greatest = std::max(greatest, value);
    const double scale = greatest > least ? g.bars.height() / (greatest - least) : 0;
    const double zero = std::round(g.bars.bottom() + least * scale);
    const double width = std::max(2.0, std::round(g.cell_width * 0.56));
    for (Dim c = 0; c < g.contents.columns; ++c) {
        const double value = source.at(0, c);
        if (!std::isfinite(value)) continue; // its cell has a cross
        const QRectF cell = g.cell(0, c);
        painter.fillRect(QRectF(QPointF(std::round(cell.center().x() - width / 2), zero), QSizeF(width, -std::round(value * scale))).normalized(),
                         scene.theme.hue(scene.shown.model.recorded.role));
    }
    painter.setPen(QPen(scene.theme.ink2, 1));
    painter.drawLine(QPointF(g.bars.left(), zero + 0.5), QPointF(g.bars.right(), zero + 0.5));
}

/// Memory that nobody wrote to is no number that went wrong.
void paint_unwritten(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    constexpr Dim most_cells = Dim{1} << 16; // gone over in a frame
    if (scene.shown.unwritten.empty() || g.window.rows * g.window.columns > most_cells) return;
    const QBrush hatched(scene.theme.ink3, Qt::BDiagPattern);
    for (Dim r = g.window.row; r < g.window.row + g.window.rows; ++r)
        for (Dim c = g.window.column; c < g.window.column + g.window.columns; ++c) {
            if (!scene.shown.is_unwritten(r, c)) continue;
            const QRectF cell = g.cell(r, c);
            painter.fillRect(cell, scene.theme.surface);
            painter.fillRect(cell, cell.width() < 6 || cell.height() < 6 ? QBrush(scene.theme.fill) : hatched);
        }
}

void paint_matrix(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    paint_overview(painter, scene);
    const bool all = g.window.rows == g.contents.rows && g.window.columns == g.contents.columns;
    const QSize pixels = g.map.size().toSize();
    const CellSource source = all ? scene.shown.whole(pixels.height(), pixels.width()) : scene.shown.model.source();
    if (!g.numbered) paint_heat(painter, g.map, source, all ? source.all() : g.window, scene.shown.statistics.outlier, scene.map, scene.theme.fault);
    paint_unwritten(painter, scene);
    paint_cell_texts(painter, scene);
    paint_bars(painter, scene);
}

/// From a picture's number to its class behind it.
double before_class(const TextMetrics& fm) { return fm.horizontalAdvance(QStringLiteral(" ")); }

/// Whether a picture has room for its number and its class behind it, so that the next number stands clearly farther from that class than its own.
bool has_room_for_both(const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    const std::vector<Dim>& labels = scene.shown.model.labels;
    if (labels.empty()) return true;
    const TextMetrics fm(small_mono());
    const QString longest = QString::number(g.first + g.shown - 1) + QString::number(*std::max_element(labels.begin(), labels.end()));
    return fm.horizontalAdvance(longest) + 2 * before_class(fm) <= g.picture(g.first).width();
}

void paint_pictures(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    const TensorModel& model = scene.shown.model;
    const QFont font = small_mono();
    const TextMetrics fm(font);
    painter.setFont(font);
    const bool both = has_room_for_both(scene); // else the class says more
    for (Dim k = g.first; k < g.first + g.shown; ++k) {
        const QRectF where = g.picture(k);
        const CellSource source = model.picture(k);
        paint_heat(painter, where, source, source.all(), INFINITY, scene.map, scene.theme.fault);
        painter.setPen(scene.theme.ink2);
        const QPointF base(where.left(), where.top() - above_picture);
        if (both) draw_text(painter, base, QString::number(k));
        if (k >= static_cast<Dim>(model.labels.size())) continue;
        const QString label = QString::number(model.labels[static_cast<std::size_t>(k)]); // its class
        painter.setPen(scene.theme.data);
        draw_text(painter, QPointF(where.left() + (both ? fm.horizontalAdvance(QString::number(k)) + before_class(fm) : 0), base.y()), label);
    }
}

void paint_legend(QPainter& painter, const TensorScene& scene) {
    const QRectF& box = scene.geometry.legend;
    if (box.isNull() || box.height() < 24) return;
    QImage bar(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) bar.setPixel(0, 255 - i, scene.map.entries[static_cast<std::size_t>(i)]);
    const QRectF strip(box.left(), box.top(), 10, box.height());
    painter.drawImage(strip, bar);
    painter.setPen(QPen(scene.theme.line, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(strip.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setFont(small_mono());
    painter.setPen(scene.theme.ink2);
    const double capital = TextMetrics(painter.font()).capHeight(), x = strip.right() + 5;
    const auto [upper, lower] = legend_ends(scene.shown.statistics);
    draw_text(painter, QPointF(x, strip.top() + capital + 2), upper); // a digit is a little higher than a capital
    draw_text(painter, QPointF(x, strip.bottom()), lower);
    if (scene.map.with_sign) draw_text(painter, QPointF(x, strip.center().y() + capital / 2), "0");
}

void paint_frame(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    if (g.overview.isNull()) return;
    const QRectF frame = g.frame.adjusted(-1, -2, 1, 2);
    painter.setPen(QPen(scene.theme.line, 1.5));
    const double from = std::max(frame.bottom(), g.overview.bottom() + 1); // beside the whole, not across it
    painter.drawLine(QPointF(frame.left(), from), g.map.topLeft() + QPointF(0, -2));
    painter.drawLine(QPointF(frame.right(), from), g.map.topRight() + QPointF(0, -2));
    painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, width] : {std::pair{scene.theme.surface, 4.0}, std::pair{scene.theme.ink, 1.5}}) {
        painter.setPen(QPen(colour, width)); // a thread of surface, or it would be lost on a dark map
        painter.drawRoundedRect(frame, 2, 2);
    }
}

/// An ink outline with a thread of surface inside and out; the same thinner for what is hovered.
void paint_outline(QPainter& painter, const TensorScene& scene, QRectF cell, double width) {
    if (cell.isNull()) return;
    const double more = (10 - std::min(cell.width(), cell.height())) / 2; // small cells keep a mark that can be seen
    if (more > 0) cell.adjust(-more, -more, more, more);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(scene.theme.surface, width + 2));
    painter.drawRect(cell);
    painter.setPen(QPen(scene.theme.ink, width));
    painter.drawRect(cell);
}

} // namespace

namespace {

/// Every cell a pixel: the way from the tensor to the screen is one table. In two short loops, of which a compiler makes
/// wide instructions.
[[gnu::always_inline]] inline void look_up_cells(const float* cells, Dim count, Dim stride, const ColorMap& map, float scale, float zero,
                                                 QRgb bad, QRgb* line) {
    std::array<std::int32_t, 256> entries;
    for (Dim done = 0; done < count; done += static_cast<Dim>(entries.size())) {
        const Dim some = std::min(count - done, static_cast<Dim>(entries.size()));
        const float* from = cells + done * stride;
        std::uint32_t broken = 0;
        for (Dim i = 0; i < some; ++i) {
            const float value = from[i * stride];
            broken |= static_cast<std::uint32_t>((std::bit_cast<std::uint32_t>(value) & 0x7f800000U) == 0x7f800000U);
            float place = value * scale + zero;
            place = place < 255.0F ? place : 255.0F; // NaN goes here, too
            place = place > 0.0F ? place : 0.0F;
            entries[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(place);
        }
        for (Dim i = 0; i < some; ++i) line[done + i] = map.entries[static_cast<std::size_t>(entries[static_cast<std::size_t>(i)])];
        if (broken == 0) continue;
        for (Dim i = 0; i < some; ++i)
            if (!std::isfinite(from[i * stride])) line[done + i] = bad;
    }
}

using LookUp = void (*)(const float*, Dim, Dim, const ColorMap&, float, float, QRgb, QRgb*);

void look_up_plain(const float* cells, Dim count, Dim stride, const ColorMap& map, float scale, float zero, QRgb bad, QRgb* line) {
    look_up_cells(cells, count, stride, map, scale, zero, bad, line);
}

#if defined(__x86_64__)
/// The same entries, eight at a time: a third of the time.
[[gnu::target("avx2")]] void look_up_wide(const float* cells, Dim count, Dim stride, const ColorMap& map, float scale, float zero, QRgb bad,
                                          QRgb* line) {
    look_up_cells(cells, count, stride, map, scale, zero, bad, line);
}
const LookUp look_up = __builtin_cpu_supports("avx2") ? look_up_wide : look_up_plain;
#else
constexpr LookUp look_up = look_up_plain;
#endif

} // namespace

QImage heat_image(const CellSource& source, const CellWindow& window, QSize pixels, double outlier, const ColorMap& map,
                  const QColor& fault) {
    const Dim rows = std::min<Dim>(window.rows, std::max(1, pixels.height()));
    const Dim columns = std::min<Dim>(window.columns, std::max(1, pixels.width()));
    if (rows <= 0 || columns <= 0 || !source.base) return {};
    QImage image = recycled_picture({static_cast<int>(columns), static_cast<int>(rows)}, QImage::Format_RGB32);
    const QRgb bad = fault.rgb();
    // map.at() with its division and its rounding made once: this loop goes over every pixel of the screen.
    const double scale = map.end > 1e-300 ? (map.with_sign ? 127.5 : 255.0) / map.end : 0;
    const double zero = map.with_sign ? 128 : 0.5;
    if (rows == window.rows && columns == window.columns && source.dtype == DType::f32) {
        const auto* first = reinterpret_cast<const float*>(source.base) + window.row * source.row_stride + window.column * source.column_stride;
        for (Dim r = 0; r < rows; ++r)
            look_up(first + r * source.row_stride, columns, source.column_stride, map, static_cast<float>(scale), static_cast<float>(zero), bad,
                    reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(r))));
        return image;
    }
    const std::vector<double> values = reduce_cells(source, window, rows, columns, outlier);
    for (Dim r = 0; r < rows; ++r) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(r)));
        const double* from = values.data() + r * columns;
        for (Dim c = 0; c < columns; ++c)
            line[c] = std::isnan(from[c])
                          ? bad
                          : map.entries[static_cast<std::size_t>(std::clamp(from[c] * scale + zero, 0.0, 255.0))];
    }
    return image;
}

namespace {

/// One colour from x(c), y(r) to x(c + 1), y(r + 1), with edges where QPainter::fillRect() rounds them to, but drawn at
/// once: of eight pictures there are 6272 cells.
void draw_cells(QPainter& painter, const QImage& colours, const auto& x, const auto& y) {
    const QTransform& at = painter.deviceTransform();
    std::vector<int> left, top; // in pixels of the device, with where the last one ends
    for (int c = 0; c <= colours.width(); ++c) left.push_back(qRound(x(c) + at.dx()));
    for (int r = 0; r <= colours.height(); ++r) top.push_back(qRound(y(r) + at.dy()));
    QImage cells = recycled_picture({left.back() - left.front(), top.back() - top.front()}, colours.format());
    if (cells.isNull()) return;
    for (int r = 0; r < colours.height(); ++r)
        for (int line = top[r]; line < top[r + 1]; ++line) {
            auto* const pixels = reinterpret_cast<QRgb*>(cells.scanLine(line - top.front()));
            for (int c = 0; c < colours.width(); ++c)
                std::fill(pixels + (left[c] - left.front()), pixels + (left[c + 1] - left.front()), reinterpret_cast<const QRgb*>(colours.constScanLine(r))[c]);
        }
    painter.drawImage(QPointF(left.front() - at.dx(), top.front() - at.dy()), cells);
}

} // namespace

void paint_heat(QPainter& painter, const QRectF& where, const CellSource& source, const CellWindow& window, double outlier, const ColorMap& map,
                const QColor& fault) {
    const QSize pixels = where.size().toSize();
    const bool unscaled = painter.paintEngine()->type() == QPaintEngine::Raster && painter.deviceTransform().type() <= QTransform::TxTranslate;
    const bool cell_by_cell = unscaled && where == QRectF(where.toRect()) && window.rows == pixels.height() && window.columns == pixels.width();
    if (!cell_by_cell) {
        const QImage image = heat_image(source, window, pixels, outlier, map, fault);
        if (image.isNull()) return;
        constexpr Dim few = 4096; // cells, whose edges are to lie where the lines between them do: an enlarged image rounds otherwise
        if (window.rows * window.columns > few || image.height() != window.rows || image.width() != window.columns) return painter.drawImage(where, image);
        const auto x = [&](int c) { return where.left() + where.width() * c / image.width(); };
        const auto y = [&](int r) { return where.top() + where.height() * r / image.height(); };
        if (unscaled) return draw_cells(painter, image, x, y);
        for (int r = 0; r < image.height(); ++r)
            for (int c = 0; c < image.width(); ++c) painter.fillRect(QRectF(QPointF(x(c), y(r)), QPointF(x(c + 1), y(r + 1))), QColor(image.pixel(c, r)));
        return;
    }
    // In strips that are drawn while they are in the cache nearest to the core: the way to memory and back would be half of the time.
    const Dim strip = std::max<Dim>(1, (Dim{1} << 16) / std::max<Dim>(1, window.columns)); // a quarter of a MiB
    for (Dim r = 0; r < window.rows; r += strip) {
        const CellWindow part{window.row + r, window.column, std::min(strip, window.rows - r), window.columns};
        painter.drawImage(QPointF(where.left(), where.top() + static_cast<double>(r)),
                          heat_image(source, part, {pixels.width(), static_cast<int>(part.rows)}, outlier, map, fault));
    }
}

void paint_map(QPainter& painter, const TensorScene& scene) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (scene.pictures()) paint_pictures(painter, scene);
    else paint_matrix(painter, scene);
    if (!scene.pictures()) { // a cell that is 0 has the colour of the panel
        painter.setPen(QPen(scene.theme.ink3, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(scene.geometry.map.adjusted(-0.5, -0.5, 0.5, 0.5));
        paint_levels(painter, scene);
    }
    paint_legend(painter, scene);
}

namespace {

/// One pixel is easily overlooked: its picture is framed, and its number bold.
void paint_picture_mark(QPainter& painter, const TensorScene& scene, Dim which) {
    const QRectF where = scene.geometry.picture(which);
    painter.setPen(QPen(scene.theme.ink, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(where.adjusted(-1.5, -1.5, 1.5, 1.5));
    if (!has_room_for_both(scene)) return;
    const QString number = QString::number(which);
    painter.setFont(mono_font(metrics::small_text, QFont::Bold));
    const TextMetrics fm(painter.font());
    painter.fillRect(QRectF(where.left(), where.top() - above_picture - fm.ascent(), fm.horizontalAdvance(number), fm.ascent()), scene.theme.surface);
    draw_text(painter, QPointF(where.left(), where.top() - above_picture), number);
}

/// Of the element under the pointer: what made it, or what it goes into, lies along them.
void paint_row_and_column(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    if (scene.pictures() || scene.hovered.empty() || g.window.rows < 2 || g.window.columns < 2) return;
    const QRectF cell = rect_of(g, scene.shown.model, scene.hovered);
    if (cell.isNull()) return;
    painter.setBrush(Qt::NoBrush);
    for (const QRectF& band : {QRectF(g.map.left(), cell.top(), g.map.width(), cell.height()), QRectF(cell.left(), g.map.top(), cell.width(), g.map.height())})
        for (const auto& [colour, width] : {std::pair(scene.theme.surface, 3.0), std::pair(scene.theme.ink, 1.0)}) {
            painter.setPen(QPen(colour, width));
            painter.drawRect(band);
        }
}

} // namespace

void paint_marks(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    const TensorModel& model = scene.shown.model;
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF pinned = rect_of(g, model, scene.pinned);
    if (!scene.pictures()) {
        paint_frame(painter, scene);
        model.is_grid() ? paint_grid_axes(painter, scene) : paint_axes(painter, scene);
    }
    for (const QRectF& rect : scene.touched) paint_outline(painter, scene, rect, 1.5);
    paint_row_and_column(painter, scene);
    if (scene.hovered != scene.pinned) paint_outline(painter, scene, rect_of(g, model, scene.hovered), 1);
    if (scene.pictures() && !pinned.isNull()) paint_picture_mark(painter, scene, scene.pinned[static_cast<std::size_t>(1 - model.pixel_axis)]);
    if (scene.candidate && !pinned.isNull()) paint_candidate(painter, scene, pinned);
    paint_outline(painter, scene, pinned, 2);
}

double widest_number(const TensorModel& model) {
    const TextMetrics fm(small_mono());
    const CellSource source = model.source();
    double widest = 0;
    for (Dim c = 0; c < model.columns(); ++c) widest = std::max(widest, fm.horizontalAdvance(cell_text(source.at(0, c), false)));
    return widest;
}

QString caption_of(const TensorScene& scene, double room) {
    const TensorGeometry& g = scene.geometry;
    const TensorStatistics& s = scene.shown.statistics;
    QString text;
    if (scene.pictures()) {
        const QString axis = axis_name(scene.shown.model, 1 - scene.shown.model.pixel_axis), all = grouped(g.contents.pictures);
        const QString brief = g.shown == g.contents.pictures ? tr("%1 pictures").arg(all)
                                                             : tr("%1 to %2 of %3 pictures").arg(g.first).arg(g.first + g.shown - 1).arg(all);
        const QString label = scene.shown.model.labels.empty() ? QString()
                              : has_room_for_both(scene)       ? tr("; after its number, its class y")
                                                               : tr("; above it its class y");
        text = tr("%1, one per %2").arg(brief, axis == QCoreApplication::translate("Engine", "out") ? tr("output") : axis == QLatin1String("B") ? tr("example") : axis) + label;
        const TextMetrics fm(text_font(metrics::small_text));
        for (const QString& shorter : {brief + label, brief + (label.isEmpty() ? QString() : tr("; blue: class y")), brief})
            if (fm.horizontalAdvance(text) > room) text = shorter;
    } else if (const auto [down, across] = g.cells_per_pixel(); down > 1 || across > 1) {
        text = tr("a pixel: mean of %1, or its outlier").arg(QString("%1×%2").arg(down).arg(across));
    } else if (!scene.touched.empty()) {
        text = tr("outlined: what the lanes touch now");
    }
    if (g.numbered || !(s.greatest > s.clip || s.least < -s.clip)) return text;
    const QString more = (text.isEmpty() ? QString() : text + QStringLiteral(" · ")) + tr("the colours span 99.5 % of the numbers");
    return text.isEmpty() || TextMetrics(text_font(metrics::small_text)).horizontalAdvance(more) <= room ? more : text;
}

void paint_number(QPainter& painter, const TensorScene& scene) {
    const QRectF& room = scene.geometry.number;
    if (room.isNull() || scene.shown.statistics.count < 1) return;
    const double value = scene.candidate.value_or(scene.shown.model.tensor().at(0));
    const bool finite = std::isfinite(value);
    const QString text = (finite ? QString() : QString(QChar(0x2715)) + ' ') + three_digits(value);
    QFont font = mono_font(std::clamp(static_cast<int>(room.height() * 0.4), metrics::small_text, 72), QFont::DemiBold);
    const double width = TextMetrics(font).horizontalAdvance(text);
    if (width > room.width()) font.setPixelSize(std::max(metrics::small_text, static_cast<int>(font.pixelSize() * room.width() / width)));
    painter.setFont(font);
    painter.setPen(finite ? scene.theme.ink : scene.theme.fault);
    draw_text(painter, room, Qt::AlignCenter, text);
}

} // namespace gradus
