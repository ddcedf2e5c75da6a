#include "views/tensor/tensor_axes.hpp"

#include "views/derive/engine_words.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace gradus {

namespace {

/// First, last and pinned index along an axis, or every one; its name between where it does not touch them.
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
    const QFont text = text_font(metrics::small_text);
    const double name_width = TextMetrics(text).horizontalAdvance(axis.name), last_width = fm.horizontalAdvance(QString::number(axis.last));
    // Every index where the name has room between two of them: in the place of one it would be read as that one.
    const bool below = !g.column_name.isNull();
    const bool every = g.cell_width >= last_width + (below ? 2.0 : std::max(name_width, 2.0)) + 12;
    struct Label {
        Dim index = 0;
        double from = 0, until = 0;
    };
    std::vector<Label> labels;
    const auto add = [&](Dim index) {
        const bool pinned = index == axis.pinned;
        const QString number = QString::number(index);
        const double width = pinned ? TextMetrics(small_mono(QFont::Bold)).horizontalAdvance(number) : fm.horizontalAdvance(number);
        double from = centre(index) - width / 2;
        if (pinned) from = std::clamp(from, g.map.left(), std::max(g.map.left(), g.map.right() - width));
        else if (g.cell_width <= 20) from = index == axis.first ? g.map.left() : g.map.right() - width;
        const bool free = std::all_of(labels.begin(), labels.end(), [&](const Label& other) { return from + width + 6 < other.from || from - 6 > other.until; });
        if (!free) return;
        painter.setFont(small_mono(pinned ? QFont::Bold : QFont::Normal));
        painter.setPen(pinned ? scene.theme.ink : scene.theme.ink2);
        draw_text(painter, QPointF(from, base), number);
        labels.push_back({index, from, from + width});
    };
    if (axis.pinned) add(*axis.pinned); // before those that must give way to it
    if (every)
        for (Dim i = axis.first; i <= axis.last; ++i) add(i);
    else
        for (const Dim i : {axis.first, axis.last}) add(i);
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.index < b.index; });
    if (below) {
        painter.setFont(text);
        painter.setPen(scene.theme.ink2);
        return draw_text(painter, g.column_name, Qt::AlignHCenter | Qt::AlignVCenter, axis.name);
    }
    // The name, in the gap nearest to the middle that has room for it.
    double best = 1e9, at = 0;
    for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
        const double from = labels[i].until, until = labels[i + 1].from, middle = (from + until) / 2;
        if (until - from < name_width + 12 || std::abs(middle - g.map.center().x()) >= best) continue;
        best = std::abs(middle - g.map.center().x());
        at = middle - name_width / 2;
    }
    if (best > 1e8) return;
    painter.setFont(text);
    painter.setPen(scene.theme.ink2);
    draw_text(painter, QPointF(at, base), axis.name);
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
    const bool letter = axis.name.size() == 1; // on its side it is another one
    // Every index where the name has room between two of them, as along the columns; of an odd number the middle is an index's.
    const double name_high = letter ? 0 : TextMetrics(text).horizontalAdvance(axis.name) + 4;
    const bool every = g.cell_height >= name_high + capital + 8;
    const double aside = every && (axis.last - axis.first) % 2 == 0 ? g.cell_height / 2 : 0;
    if (every)
        for (Dim i = axis.first + 1; i < axis.last; ++i)
            if (std::abs(middle(i) - pinned) > capital + 3) draw(i, middle(i));
    if (letter) { // left of the numbers: between them it would be read as one
        const double numbers = fm.horizontalAdvance(QString::number(std::max(axis.last, axis.pinned.value_or(0)))), wide = TextMetrics(text).horizontalAdvance(axis.name);
        if (g.row_labels.width() < wide + 4 + numbers) return;
        painter.setFont(text);
        painter.setPen(scene.theme.ink2);
        draw_text(painter, QPointF(g.row_labels.left(), (top + bottom) / 2), axis.name);
        return;
    }
    // The name is turned, so that it needs no more room than the numbers.
    const double width = TextMetrics(text).horizontalAdvance(axis.name), centre = (top - capital + bottom) / 2 + aside;
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
