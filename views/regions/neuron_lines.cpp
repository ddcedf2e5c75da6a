#include "views/regions/neuron_lines.hpp"

#include "views/regions/region_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double arrow_length = 11; // pixels

/// Towards the side where the neuron is positive, in pixels, one long.
QPointF positive_side(const NeuronLine& line) {
    const double length = std::hypot(line.w1, line.w2);
    return {line.w1 / length, -line.w2 / length}; // y grows downwards on the screen
}

void paint_arrow(QPainter& painter, QPointF from, QPointF along) {
    const QPointF tip = from + arrow_length * along, across(-along.y(), along.x());
    painter.drawLine(from, tip);
    painter.drawPolyline(QPolygonF({tip - 4 * along + 3 * across, tip, tip - 4 * along - 3 * across}));
}

/// Where on the line what stands `beside` it is inside `plot` and farthest from all that is there.
QPointF freest(const QLineF& line, QPointF beside, const std::vector<QPointF>& taken, const QRectF& plot) {
    QPointF best = line.center();
    double most = -1;
    for (int share = 1; share < 12; ++share) {
        const QPointF foot = line.pointAt(share / 12.0), at = foot + beside;
        if (!plot.adjusted(10, 10, -10, -10).contains(at)) continue;
        double nearest = INFINITY;
        for (const QPointF& other : taken) nearest = std::min(nearest, std::hypot(other.x() - at.x(), other.y() - at.y()));
        if (nearest <= most) continue;
        most = nearest;
        best = foot;
    }
    return best;
}

void paint_pill(QPainter& painter, QPointF centre, QSizeF size, const QString& words, const Theme& theme) {
    const QRectF box(centre - QPointF(size.width() / 2, size.height() / 2), size);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme.ink);
    draw_text(painter, box, Qt::AlignCenter, words);
}

} // namespace

std::optional<QLineF> place_line(const NeuronLine& line, const PlaneSquare& square, const RegionGeometry& geometry) {
    const double steep = std::max(std::abs(line.w1), std::abs(line.w2));
    if (!(steep > 0) || !std::isfinite(steep) || !std::isfinite(line.b)) return std::nullopt;
    // Where it crosses the square's four sides, two of which it does if any.
    const double right = square.left + square.size, top = square.bottom + square.size, near = square.size * 1e-9;
    std::vector<QPointF> ends;
    const auto add = [&](double x, double y) {
        if (!(x >= square.left - near && x <= right + near && y >= square.bottom - near && y <= top + near)) return;
        const QPointF end = geometry.at(square, x, y);
        if (ends.empty() || QLineF(ends.front(), end).length() > 1) ends.push_back(end);
    };
    for (const double x : {square.left, right}) add(x, -(line.w1 * x + line.b) / line.w2); // not finite: no crossing
    for (const double y : {square.bottom, top}) add(-(line.w2 * y + line.b) / line.w1, y);
    if (ends.size() < 2) return std::nullopt;
    return QLineF(ends[0], ends[1]);
}

QString neuron_name(std::size_t neuron) { return QStringLiteral("h") + QChar(static_cast<char16_t>(0x2080 + (neuron + 1) % 10)); }

QString line_equation(const NeuronLine& line) {
    const auto term = [](double value) { return (value < 0 ? QStringLiteral(" − ") : QStringLiteral(" + ")) + three_digits(std::abs(value)); };
    return three_digits(line.w1) + QStringLiteral("·x₁") + term(line.w2) + QStringLiteral("·x₂") + term(line.b) + QStringLiteral(" = 0");
}

void paint_neuron_lines(QPainter& painter, const RegionField& field, const RegionGeometry& geometry, const Theme& theme) {
    painter.save();
    painter.setClipRect(geometry.plot);
    painter.setFont(text_font(metrics::small_text, QFont::DemiBold));
    const TextMetrics fm(painter.font());
    const QSizeF size(fm.horizontalAdvance(neuron_name(0)) + 6, fm.height());
    const double away = arrow_length + 2 + std::max(size.width(), size.height()) / 2;
    std::vector<QPointF> taken;
    for (std::size_t i = 0; i < field.points.size(); ++i)
        taken.push_back(geometry.at(field.square, field.points.x[2 * i], field.points.x[2 * i + 1]));
    for (std::size_t h = 0; h < field.neurons.size(); ++h) {
        const auto line = place_line(field.neurons[h], field.square, geometry);
        if (!line) continue;
        const QPointF along = positive_side(field.neurons[h]), foot = freest(*line, away * along, taken, geometry.plot);
        const QPointF centre = foot + away * along;
        for (const auto& [colour, width] : {std::pair(theme.surface, 3.0), std::pair(theme.ink2, 1.2)}) { // a thread of surface round it
            painter.setPen(QPen(colour, width, width > 2 ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap));
            painter.drawLine(*line);
            painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            paint_arrow(painter, foot, along);
        }
        paint_pill(painter, centre, size, neuron_name(h), theme);
        taken.push_back(centre);
    }
    // A neuron whose line lies elsewhere is named, too: that one is missing would be seen by nobody.
    const PlaneSquare& square = field.square;
    for (std::size_t h = 0; h < field.neurons.size(); ++h) {
        const NeuronLine& line = field.neurons[h];
        if (place_line(line, square, geometry)) continue;
        const double middle = line.w1 * (square.left + square.size / 2) + line.w2 * (square.bottom + square.size / 2) + line.b;
        const QString words = (middle > 0 ? region_words::tr("%1 is positive everywhere here") : region_words::tr("%1 is positive nowhere here")).arg(neuron_name(h));
        const QSizeF wide(fm.horizontalAdvance(words) + 10, fm.height());
        const QRectF inside = geometry.plot.adjusted(4 + wide.width() / 2, 4 + wide.height() / 2, -4 - wide.width() / 2, -4 - wide.height() / 2);
        if (inside.width() < 0 || inside.height() < 0) continue;
        const QPointF centre = freest(QLineF(inside.center().x(), inside.top(), inside.center().x(), inside.bottom()), {}, taken, geometry.plot);
        paint_pill(painter, centre, wide, words, theme);
        taken.push_back(centre);
    }
    painter.restore();
}

} // namespace gradus
