#include "views/activation/activation_painter.hpp"

#include "views/activation/activation_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/rounded.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using CurvePanel = ActivationGeometry::Panel;

constexpr double ring = 5;       // pixels, radius
constexpr double jump = 0.5;     // between neighbours of the grid: a curve is not joined across it
constexpr double between = 18;   // pixels from a function's name to the point's numbers

QFont name_font(bool in_use) { return text_font(metrics::text - 1, in_use ? QFont::Bold : QFont::Normal); }

void paint_axes(QPainter& painter, const CurvePanel& panel, const Theme& theme) {
    painter.setFont(mono_font(metrics::small_text));
    const TextMetrics font(painter.font());
    const auto label = [&](const QRectF& box, int align, double value) {
        painter.setPen(theme.ink2);
        draw_text(painter, box, align | Qt::TextDontClip, with_minus(QString::number(value)));
    };
    for (const double y : activation_ticks(panel.least_y, panel.most_y)) {
        const double at = std::round(panel.at(0, y).y()) + 0.5;
        painter.setPen(QPen(y == 0 ? theme.ink3 : theme.line, 1));
        painter.drawLine(QPointF(panel.plot.left(), at), QPointF(panel.plot.right(), at));
        label(QRectF(panel.plot.left() - 28, at - 8, 23, 16), Qt::AlignRight | Qt::AlignVCenter, y);
    }
    const bool few = panel.plot.width() < 5 * 2 * font.horizontalAdvance(QStringLiteral("−4")); // every other one then
    for (const double z : activation_ticks(ActivationGeometry::least_z, ActivationGeometry::most_z)) {
        const double at = std::round(panel.at(z, 0).x()) + 0.5;
        painter.setPen(QPen(z == 0 ? theme.ink3 : theme.line, 1));
        painter.drawLine(QPointF(at, panel.plot.top()), QPointF(at, panel.plot.bottom()));
        if (!few || std::fmod(z, 4) == 0) label(QRectF(at - 14, panel.plot.bottom() + 2, 28, 15), Qt::AlignHCenter | Qt::AlignTop, z);
    }
    if (panel.z_name.isNull()) return;
    painter.setPen(theme.ink2);
    painter.setFont(text_font(metrics::text - 1)); // as the names of the curves
    draw_text(painter, panel.z_name, Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextDontClip, QStringLiteral("z"));
}

void paint_curve(QPainter& painter, const CurvePanel& panel, const ActivationCurve& curve, const std::vector<double>& values, const QPen& pen,
                 const QString& name) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    QPolygonF part;
    const auto flush = [&] {
        if (part.size() > 1) painter.drawPolyline(part);
        part.clear();
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0 && std::abs(values[i] - values[i - 1]) > jump) flush();
        part << panel.at(curve.z[i], values[i]);
    }
    flush();
    const double end = std::clamp(panel.at(curve.z.back(), values.back()).y(), panel.plot.top() + 8, panel.plot.bottom());
    painter.setFont(text_font(metrics::text - 1));
    draw_text(painter, QRectF(panel.plot.right() + 5, end - 9, 16, 18), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
}

void paint_mark(QPainter& painter, const CurvePanel& panel, const ActivationPoint& point, const Theme& theme) {
    const PointNumbers numbers = numbers_of(panel, point);
    const QRectF mark = mark_of(panel, point);
    painter.setPen(std::isfinite(point.a) ? theme.ink : theme.fault);
    painter.setFont(mono_font(metrics::small_text));
    if (!numbers.text.isEmpty()) draw_text(painter, numbers.rect, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, numbers.text);
    if (!numbers.slope.isEmpty()) {
        painter.fillRect(numbers.slope_rect.adjusted(-2, 0, 2, 0), theme.surface); // the grid stays behind it
        draw_text(painter, numbers.slope_rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, numbers.slope);
    }
    if (mark.isNull()) return;
    const QPointF c = mark.center();
    painter.setPen(QPen(theme.ink, 2));
    painter.setBrush(theme.surface);
    if (panel.holds(point.z, point.a)) {
        painter.drawEllipse(c, ring - 1, ring - 1);
        return;
    }
    // Beyond an axis: an arrow head at the edge that points to where it lies.
    const double dx = point.z < ActivationGeometry::least_z ? -1 : point.z > ActivationGeometry::most_z ? 1 : 0;
    const double dy = dx != 0 ? 0 : point.a > panel.most_y ? -1 : 1;
    const QPointF along(dx * ring, dy * ring), across(-dy * ring, dx * ring);
    const QPointF head[] = {c + along, c - along + across, c - along - across};
    painter.setPen(QPen(theme.ink, 1.4, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(theme.ink);
    painter.drawPolygon(head, 3);
}

} // namespace

QRectF mark_of(const CurvePanel& panel, const ActivationPoint& point) {
    if (!std::isfinite(point.z) || !std::isfinite(point.a)) return {};
    const QPointF c = panel.at(std::clamp(point.z, ActivationGeometry::least_z, ActivationGeometry::most_z), std::clamp(point.a, panel.least_y, panel.most_y));
    return {c.x() - ring, c.y() - ring, 2 * ring, 2 * ring};
}

PointNumbers numbers_of(const CurvePanel& panel, const ActivationPoint& point) {
    const TextMetrics font(mono_font(metrics::small_text));
    const double room = panel.header.width() - TextMetrics(name_font(true)).horizontalAdvance(activation_words::function_name(panel.op)) - between;
    const auto in_header = [&](const QString& text) {
        const double width = font.horizontalAdvance(text);
        return width <= room ? PointNumbers{text, {}, QRectF(panel.header.right() - width, panel.header.top(), width, panel.header.height() - 2), {}} : PointNumbers{};
    };
    PointNumbers out = in_header(activation_words::numbers(point.z, point.a, point.slope));
    if (!out.text.isEmpty()) return out;
    out = in_header(QStringLiteral("z %1 a %2").arg(activation_words::number(point.z), activation_words::number(point.a)));
    const QString slope = QStringLiteral("∂ ") + activation_words::number(point.slope);
    const double width = font.horizontalAdvance(slope);
    if (out.text.isEmpty() || width + 8 > panel.plot.width() * 0.4) return out;
    out.slope = slope; // at the upper left, where no function goes
    out.slope_rect = QRectF(panel.plot.left() + 3, panel.plot.top() + 1, width, font.height());
    return out;
}

void paint_activations(QPainter& painter, const ActivationPicture& picture, const Theme& theme) {
    if (!picture.curves) return;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const CurvePanel& panel : picture.geometry.panels) {
        const bool in_use = panel.op == picture.in_use;
        if (in_use) {
            painter.setPen(QPen(theme.ink, 2, Qt::SolidLine, Qt::FlatCap));
            outline_rounded(painter, panel.rect.adjusted(1, 1, -1, -1), metrics::radius - 2);
        }
        painter.setFont(name_font(in_use));
        painter.setPen(in_use ? theme.ink : theme.ink2);
        draw_text(painter, panel.header.adjusted(0, 0, 0, -2), Qt::AlignLeft | Qt::AlignVCenter, activation_words::function_name(panel.op));
        paint_axes(painter, panel, theme);
        const ActivationCurve& curve = picture.curves->curves()[panel.op];
        QPen slope(theme.gradient, 1.6, Qt::CustomDashLine, Qt::FlatCap, Qt::BevelJoin);
        slope.setDashPattern({3.5, 2.5});
        paint_curve(painter, panel, curve, curve.y, QPen(theme.data, 2, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin), QStringLiteral("a"));
        paint_curve(painter, panel, curve, curve.slope, slope, QStringLiteral("∂")); // on top: where both are 0, both are seen
    }
}

void paint_point(QPainter& painter, const ActivationPicture& picture, const Theme& theme) {
    const CurvePanel* panel = picture.geometry.panel_of(picture.in_use);
    if (panel && picture.point) paint_mark(painter, *panel, *picture.point, theme);
}

void paint_pointed(QPainter& painter, const CurvePanel& panel, const ActivationCurve& curve, std::size_t at, const Theme& theme) {
    const double x = panel.at(curve.z[at], 0).x();
    painter.setPen(QPen(theme.ink, 1));
    painter.drawLine(QPointF(x, panel.plot.top()), QPointF(x, panel.plot.bottom()));
    painter.setBrush(theme.surface);
    for (const double value : {curve.slope[at], curve.y[at]}) painter.drawEllipse(panel.at(curve.z[at], value), 3.5, 3.5);
}

} // namespace gradus
