#include "views/tensor/tensor_controls.hpp"

#include "views/derive/engine_words.hpp"
#include "views/tensor/tensor_text.hpp"
#include "views/tensor/tensor_words.hpp"
#include "views/theme/words.hpp"

#include <algorithm>

namespace gradus {

namespace {

using tensor_words::tr;

void paint_arrow(QPainter& painter, const QRectF& box, bool right, const Theme& theme) {
    const double way = right ? 1.0 : -1.0;
    const QPointF c = box.center(), points[3] = {c + QPointF(-2 * way, -4), c + QPointF(2 * way, 0), c + QPointF(-2 * way, 4)};
    painter.setPen(QPen(theme.ink2, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(points, 3);
}

} // namespace

std::vector<SliceControl> slice_controls(const TensorModel& model, const TensorGeometry& geometry) {
    std::vector<SliceControl> out;
    if (geometry.slices.isNull()) return out;
    const TextMetrics fm(mono_font(metrics::small_text));
    double x = geometry.slices.left();
    for (const int axis : model.chosen_axes()) {
        SliceControl control;
        control.axis = axis;
        QString name = axis_word(model.tensor().shape().name(axis).view());
        if (name.isEmpty()) name = tr("axis %1").arg(axis);
        control.text = tr("%1 %2 of %3").arg(name).arg(model.slice[static_cast<std::size_t>(axis)]).arg(model.tensor().shape()[axis]);
        const QString widest = tr("%1 %2 of %3").arg(name).arg(model.tensor().shape()[axis]).arg(model.tensor().shape()[axis]);
        control.box = QRectF(x, geometry.slices.top(), fm.horizontalAdvance(widest) + 52, geometry.slices.height());
        control.less = QRectF(control.box.left(), control.box.top(), 22, control.box.height());
        control.more = QRectF(control.box.right() - 22, control.box.top(), 22, control.box.height());
        x = control.box.right() + 8;
        if (control.box.right() <= geometry.slices.right() + 0.5) out.push_back(std::move(control));
    }
    return out;
}

void paint_slices(QPainter& painter, const std::vector<SliceControl>& controls, int active, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const SliceControl& control : controls) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(control.axis == active ? theme.ink : theme.ink3, 1));
        painter.drawRoundedRect(control.box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        paint_arrow(painter, control.less, false, theme);
        paint_arrow(painter, control.more, true, theme);
        painter.setFont(mono_font(metrics::small_text));
        painter.setPen(theme.ink);
        draw_text(painter, control.box, Qt::AlignCenter, control.text);
    }
}

void paint_toggle(QPainter& painter, const TensorScene& scene) {
    const QRectF& box = scene.geometry.toggle;
    if (box.isNull()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(scene.theme.surface);
    painter.setPen(QPen(scene.theme.ink3, 1));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QString word = scene.pictures() ? tr("matrix") : tr("pictures"), key = "I";
    const QFont text = text_font(metrics::small_text), mono = mono_font(metrics::small_text, QFont::DemiBold);
    const double word_width = TextMetrics(text).horizontalAdvance(word), key_width = TextMetrics(mono).horizontalAdvance(key);
    const double left = box.center().x() - (word_width + 8 + key_width) / 2, base = box.center().y() + 4;
    painter.setFont(text);
    painter.setPen(scene.theme.ink);
    draw_text(painter, QPointF(left, base), word);
    painter.setFont(mono);
    painter.setPen(scene.theme.ink2);
    draw_text(painter, QPointF(left + word_width + 8, base), key);
}

QString shape_text(const TensorModel& model, bool names) {
    const Shape& shape = model.tensor().shape();
    if (!names) return shape_words(shape);
    QString text;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const QString name = axis_word(shape.name(axis).view());
        text += (axis > 0 ? QString(" × ") : QString()) + (name.isEmpty() ? name : name + ' ') + QString::number(shape[axis]);
    }
    return text;
}

void paint_head(QPainter& painter, const TensorModel& model, const QRectF& line, const Theme& theme) {
    struct Part {
        QString text;
        QFont font;
        QColor colour;
    };
    const Part name{name_of_tensor(model.recorded.name), text_font(metrics::text, QFont::Bold), theme.hue(model.recorded.role)};
    const QFont mono = mono_font(metrics::small_text);
    const Part full{shape_text(model, true), mono, theme.ink2}, plain{shape_text(model, false), mono, theme.ink2};
    const Part state{model.before_update ? tr("before the update") : QString(), text_font(metrics::small_text), theme.ink2};
    const std::vector<std::vector<Part>> choices{{name, full, state}, {name, plain, state}, {name, state}, {name}};
    constexpr double gap = 10;
    for (const auto& parts : choices) {
        double width = 0;
        for (const Part& part : parts)
            if (!part.text.isEmpty()) width += TextMetrics(part.font).horizontalAdvance(part.text) + gap;
        if (width - gap > line.width() && parts.size() > 1) continue;
        double x = line.left();
        for (const Part& part : parts) {
            if (part.text.isEmpty()) continue;
            const TextMetrics fm(part.font);
            painter.setFont(part.font);
            painter.setPen(part.colour);
            draw_text(painter, QPointF(x, line.center().y() + 4.5), fm.elidedText(part.text, Qt::ElideRight, std::max(0.0, line.right() - x)));
            x += fm.horizontalAdvance(part.text) + gap;
        }
        return;
    }
}

} // namespace gradus
