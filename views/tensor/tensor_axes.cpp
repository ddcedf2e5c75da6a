#include "views/tensor/tensor_axes.hpp"

#include "views/derive/engine_words.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gradus {

namespace {

QFont small_mono(QFont::Weight weight = QFont::Normal) { return mono_font(metrics::small_text, weight); }

/// First, last and pinned index along an axis, its name between where it does not touch them.
struct AxisMarks {
    Dim first = 0, last = 0;
    std::optional<Dim> pinned;
    QString name;
};

void paint_column_axis(QPainter& painter, const TensorScene& scene, const AxisMarks& axis) {
    const TensorGeometry& g = scene.geometry;
    if (g.column_labels.isNull() || g.contents.columns < 1) return;
    const double base = g.column_labels.bottom() - 2;
    const TextMetrics fm(small_mono());
    const auto centre = [&](Dim at) { return g.cell(g.window.row, at).center().x(); };
    double used_from = 1e9, used_until = -1e9; // of the pinned label
    if (axis.pinned) {
        painter.setFont(small_mono(QFont::Bold));
        painter.setPen(scene.theme.ink);
        const QString text = QString::number(*axis.pinned);
        const double width = TextMetrics(painter.font()).horizontalAdvance(text);
        used_from = std::clamp(centre(*axis.pinned) - width / 2, g.map.left(), std::max(g.map.left(), g.map.right() - width));
        used_until = used_from + width;
        draw_text(painter, QPointF(used_from, base), text);
    }
    const auto free = [&](double from, double until) { return until + 6 < used_from || from - 6 > used_until; };
    painter.setFont(small_mono());
    painter.setPen(scene.theme.ink2);
    const QString first = QString::number(axis.first), last = QString::number(axis.last);
    const double first_at = g.cell_width > 20 ? centre(axis.first) - fm.horizontalAdvance(first) / 2 : g.map.left();
    const double last_width = fm.horizontalAdvance(last);
    const double last_at = g.cell_width > 20 ? centre(axis.last) - last_width / 2 : g.map.right() - last_width;
    const double first_end = first_at + fm.horizontalAdvance(first);
    if (free(first_at, first_end)) draw_text(painter, QPointF(first_at, base), first);
    if (axis.first != axis.last && last_at > first_end + 8 && free(last_at, last_at + last_width))
        draw_text(painter, QPointF(last_at, base), last);
    const QFont text = text_font(metrics::small_text);
    const double width = TextMetrics(text).horizontalAdvance(axis.name);
    for (const double share : {0.5, 0.25, 0.75}) {
        const double at = first_end + (last_at - first_end) * share - width / 2;
        if (at < first_end + 8 || at + width + 8 > last_at || !free(at, at + width)) continue;
        painter.setFont(text);
        draw_text(painter, QPointF(at, base), axis.name);
        break;
    }
}

void paint_row_axis(QPainter& painter, const TensorScene& scene, const AxisMarks& axis) {
    const TensorGeometry& g = scene.geometry;
    if (g.row_labels.isNull() || g.contents.rows < 1) return;
    const TextMetrics fm(small_mono());
    const double capital = fm.capHeight(), right = g.row_labels.right();
    const auto draw = [&](Dim at, double y) {
        const QString text = QString::number(at);
        draw_text(painter, QPointF(right - TextMetrics(painter.font()).horizontalAdvance(text), y), text);
    };
    const auto middle = [&](Dim at) { return g.cell(at, g.window.column).center().y() + capital / 2; };
    double pinned = -1e9;
    if (axis.pinned) {
        painter.setFont(small_mono(QFont::Bold));
        painter.setPen(scene.theme.ink);
        pinned = std::clamp(middle(*axis.pinned), g.map.top() + capital, std::max(g.map.top() + capital, g.map.bottom()));
        draw(*axis.pinned, pinned);
    }
    painter.setFont(small_mono());
    painter.setPen(scene.theme.ink2);
    const double top = std::max(middle(axis.first) - (g.cell_height < 14 ? g.cell_height / 2 - capital / 2 : 0), g.map.top() + capital);
    const double bottom = g.cell_height < 14 ? g.map.bottom() : middle(axis.last);
    if (std::abs(top - pinned) > capital + 3) draw(axis.first, top);
    if (axis.first != axis.last && bottom - top > capital + 3 && std::abs(bottom - pinned) > capital + 3) draw(axis.last, bottom);
    const QFont text = text_font(metrics::small_text);
    if (axis.name.size() == 1) { // a letter on its side is another one
        const double y = (top + bottom) / 2, wide = TextMetrics(text).horizontalAdvance(axis.name);
        if (bottom - top < 4 * capital + 10 || std::abs(y - pinned) < 2 * capital) return;
        painter.setFont(text);
        draw_text(painter, QPointF(right - wide, y), axis.name);
        return;
    }
    // The name is turned, so that it needs no more room than the numbers.
    const double width = TextMetrics(text).horizontalAdvance(axis.name), centre = (top - capital + bottom) / 2;
    const bool clear = bottom - top > width + 3 * capital + 10 &&
                       (pinned < centre - width / 2 - 4 || pinned - capital > centre + width / 2 + 4);
    if (!clear || axis.name.isEmpty()) return;
    painter.save();
    painter.setFont(text);
    painter.translate(right - 2, centre + width / 2);
    painter.rotate(-90);
    draw_text(painter, QPointF(0, 0), axis.name);
    painter.restore();
}

} // namespace

QString axis_name(const TensorModel& model, int axis) {
    return axis < 0 ? QString() : axis_word(model.tensor().shape().name(axis).view());
}

void paint_axes(QPainter& painter, const TensorScene& scene) {
    const TensorGeometry& g = scene.geometry;
    const TensorModel& model = scene.shown.model;
    AxisMarks rows{g.window.row, g.window.row + g.window.rows - 1, {}, axis_name(model, model.row_axis)};
    AxisMarks columns{g.window.column, g.window.column + g.window.columns - 1, {}, axis_name(model, model.column_axis)};
    if (const auto place = model.place_of(scene.pinned); place && g.window.contains(place->first, place->second)) {
        rows.pinned = place->first;
        columns.pinned = place->second;
    }
    paint_row_axis(painter, scene, rows);
    paint_column_axis(painter, scene, columns);
}

} // namespace gradus
