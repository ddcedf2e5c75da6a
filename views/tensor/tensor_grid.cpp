#include "views/tensor/tensor_grid.hpp"

#include "views/tensor/tensor_axes.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double tick = 4; // pixels

QString number_text(double value) { return with_minus(QString::number(value, 'g', 6)); }

QPointF place(const TensorGeometry& g, double column, double row) { return {g.x_of_column(column), g.y_of_row(row)}; }

/// As many as stand clear of each other.
std::vector<GridTick> ticks_beside(const TensorGeometry& g, const std::vector<double>& values, const TextMetrics& fm) {
    for (const double apart : {20.0, 30.0, 40.0, 60.0, 90.0}) {
        std::vector<GridTick> ticks = grid_ticks(g, values, true, apart);
        double widest = 0;
        for (const GridTick& each : ticks) widest = std::max(widest, fm.horizontalAdvance(number_text(each.value)));
        if (ticks.size() < 2 || ticks[1].at - ticks[0].at >= widest + 12) return ticks;
    }
    return grid_ticks(g, values, true, g.map.width());
}

void paint_column_axis(QPainter& painter, const TensorScene& scene, std::optional<Dim> pinned) {
    const TensorGeometry& g = scene.geometry;
    if (g.column_labels.isNull()) return;
    const std::vector<double>& values = scene.shown.model.column_values;
    const TextMetrics fm(small_mono());
    const double base = g.column_labels.bottom() - 1;
    double from = 1, until = 0; // of the pinned number: others give way to it
    const auto draw = [&](double at, const QString& text, const QFont& font, const QColor& colour) {
        const double width = TextMetrics(font).horizontalAdvance(text), left = at - width / 2;
        if (left - 4 < until && left + width + 4 > from) return;
        painter.setPen(QPen(scene.theme.ink3, 1));
        painter.drawLine(QPointF(at, g.map.bottom() + 1), QPointF(at, g.map.bottom() + tick));
        painter.setFont(font);
        painter.setPen(colour);
        draw_text(painter, QPointF(left, base + 2), text);
        if (colour == scene.theme.ink) from = left, until = left + width;
    };
    if (pinned) draw(g.x_of_column(static_cast<double>(*pinned)), three_digits(values[static_cast<std::size_t>(*pinned)]), small_mono(QFont::Bold), scene.theme.ink);
    for (const GridTick& each : ticks_beside(g, values, fm)) draw(each.at, number_text(each.value), small_mono(), scene.theme.ink2);
    if (g.column_name.isNull()) return;
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(scene.theme.ink2);
    draw_text(painter, g.column_name, Qt::AlignCenter | Qt::TextDontClip, axis_name(scene.shown.model, scene.shown.model.column_axis));
}

void paint_row_axis(QPainter& painter, const TensorScene& scene, std::optional<Dim> pinned) {
    const TensorGeometry& g = scene.geometry;
    if (g.row_labels.isNull()) return;
    const std::vector<double>& values = scene.shown.model.row_values;
    const TextMetrics fm(small_mono());
    double taken = -1e9;
    const auto draw = [&](double at, const QString& text, const QFont& font, const QColor& colour) {
        if (std::abs(at - taken) < fm.height()) return;
        painter.setPen(QPen(scene.theme.ink3, 1));
        painter.drawLine(QPointF(g.map.left() - 1, at), QPointF(g.map.left() - tick, at));
        painter.setFont(font);
        painter.setPen(colour);
        draw_text(painter, QPointF(g.row_labels.right() - TextMetrics(font).horizontalAdvance(text), at + fm.capHeight() / 2), text);
        if (colour == scene.theme.ink) taken = at;
    };
    if (pinned) draw(g.y_of_row(static_cast<double>(*pinned)), three_digits(values[static_cast<std::size_t>(*pinned)]), small_mono(QFont::Bold), scene.theme.ink);
    for (const GridTick& each : grid_ticks(g, values, false, 2 * fm.height())) draw(each.at, number_text(each.value), small_mono(), scene.theme.ink2);
    if (g.row_name.isNull()) return;
    painter.save();
    painter.setFont(text_font(metrics::small_text));
    painter.setPen(scene.theme.ink2);
    painter.translate(g.row_name.center());
    painter.rotate(-90);
    draw_text(painter, QRectF(-40, -g.row_name.width() / 2, 80, g.row_name.width()), Qt::AlignCenter | Qt::TextDontClip, axis_name(scene.shown.model, scene.shown.model.row_axis));
    painter.restore();
}

} // namespace

std::vector<GridTick> grid_ticks(const TensorGeometry& geometry, const std::vector<double>& values, bool across, double apart) {
    const Dim first = across ? geometry.window.column : geometry.window.row, count = across ? geometry.window.columns : geometry.window.rows;
    if (count < 2 || values.size() < static_cast<std::size_t>(first + count)) return {};
    const double start = values[static_cast<std::size_t>(first)], end = values[static_cast<std::size_t>(first + count - 1)];
    const double length = static_cast<double>(count) * (across ? geometry.cell_width : geometry.cell_height);
    std::vector<GridTick> out;
    for (const double value : round_numbers(std::min(start, end), std::max(start, end), std::clamp(static_cast<int>(length / apart), 2, 9))) {
        const double index = static_cast<double>(first) + (value - start) / (end - start) * static_cast<double>(count - 1);
        out.push_back({value, across ? geometry.x_of_column(index) : geometry.y_of_row(index)});
    }
    return out;
}

std::vector<LevelLabel> level_labels(const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    const TextMetrics fm(small_mono(QFont::DemiBold));
    std::vector<LevelLabel> out;
    for (const LevelLine& line : scene.shown.levels) {
        LevelLabel label{number_text(line.level), {}};
        const QSizeF size(fm.horizontalAdvance(label.text) + 6, fm.height());
        double best = 1e18;
        for (const ContourPiece& piece : line.pieces) { // as near to the middle as it can: there its line is longest
            const QPointF at = (place(g, piece.x0, piece.y0) + place(g, piece.x1, piece.y1)) / 2, away = at - g.map.center();
            const QRectF rect(at - QPointF(size.width() / 2, size.height() / 2), size);
            if (!g.map.adjusted(2, 2, -2, -2).contains(rect) || away.x() * away.x() + away.y() * away.y() >= best) continue;
            if (std::any_of(out.begin(), out.end(), [&](const LevelLabel& other) { return other.rect.adjusted(-3, -1, 3, 1).intersects(rect); })) continue;
            best = away.x() * away.x() + away.y() * away.y();
            label.rect = rect;
        }
        if (!label.rect.isNull()) out.push_back(std::move(label));
    }
    return out;
}

void paint_levels(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    if (scene.shown.levels.empty() || g.contents.form != TensorContents::Form::matrix || g.map.isNull()) return;
    const double stroke = std::max(1.0, TextMetrics(text_font(metrics::text)).height() / 17); // a class sees 2 px
    painter.save();
    painter.setClipRect(g.map);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const LevelLine& line : scene.shown.levels) {
        std::vector<QLineF> pieces;
        for (const ContourPiece& piece : line.pieces) pieces.emplace_back(place(g, piece.x0, piece.y0), place(g, piece.x1, piece.y1));
        painter.setPen(QPen(scene.theme.ink, (line.level == 0 ? 2.2 : 1.25) * stroke, Qt::SolidLine, Qt::RoundCap));
        painter.drawLines(pieces.data(), static_cast<int>(pieces.size()));
    }
    const QFont font = small_mono(QFont::DemiBold);
    painter.setFont(font);
    for (const LevelLabel& label : level_labels(scene)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(scene.theme.surface);
        painter.drawRoundedRect(label.rect, 3, 3);
        painter.setPen(scene.theme.ink);
        draw_text(painter, label.rect, Qt::AlignCenter, label.text);
    }
    painter.restore();
}

void paint_grid_axes(QPainter& painter, const TensorScene& scene) {
    std::optional<Dim> row, column;
    if (const auto pinned = scene.shown.model.place_of(scene.pinned); pinned && scene.geometry.window.contains(pinned->first, pinned->second)) {
        row = pinned->first;
        column = pinned->second;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paint_row_axis(painter, scene, row);
    paint_column_axis(painter, scene, column);
    painter.setRenderHint(QPainter::Antialiasing);
}

QString grid_place(const TensorModel& model, const std::vector<Dim>& index) {
    const auto at = model.is_grid() ? model.place_of(index) : std::nullopt;
    if (!at) return {};
    return QStringLiteral("%1 %2, %3 %4").arg(axis_name(model, model.column_axis), three_digits(model.column_values[static_cast<std::size_t>(at->second)]),
                                               axis_name(model, model.row_axis), three_digits(model.row_values[static_cast<std::size_t>(at->first)]));
}

} // namespace gradus
