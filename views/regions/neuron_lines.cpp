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

QRectF around(QPointF centre, QSizeF size) { return {centre - QPointF(size.width() / 2, size.height() / 2), size}; }

/// How far apart two boxes lie; 0 where they touch.
double gap(const QRectF& a, const QRectF& b) {
    return std::hypot(std::max({0.0, a.left() - b.right(), b.left() - a.right()}), std::max({0.0, a.top() - b.bottom(), b.top() - a.bottom()}));
}

struct Spot {
    QPointF foot;
    double room; ///< to the nearest of what is there; -1 where nothing is inside
};

/// Where on the line a box that stands `beside` it has its centre inside `plot` and is farthest from all that is there.
Spot freest(const QLineF& line, QPointF beside, QSizeF size, const std::vector<QRectF>& taken, const QRectF& plot) {
    Spot best{line.center(), -1};
    double farthest = -1; // from the centres, where boxes are equally far apart
    for (int share = 1; share < 12; ++share) {
        const QPointF foot = line.pointAt(share / 12.0);
        const QRectF box = around(foot + beside, size);
        if (!plot.adjusted(10, 10, -10, -10).contains(box.center())) continue;
        double room = INFINITY, away = INFINITY;
        for (const QRectF& other : taken) {
            room = std::min(room, gap(box, other));
            away = std::min(away, QLineF(box.center(), other.center()).length());
        }
        if (std::pair(room, away) <= std::pair(best.room, farthest)) continue;
        best = {foot, room};
        farthest = away;
    }
    return best;
}

void paint_pill(QPainter& painter, const QRectF& box, const QString& words, const QColor& ink, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(ink);
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
    std::vector<QRectF> taken;
    const QSizeF mark(2 * geometry.mark + 6, 2 * geometry.mark + 6); // with a thread of surface
    for (std::size_t i = 0; i < field.points.size(); ++i)
        taken.push_back(around(geometry.at(field.square, field.points.x[2 * i], field.points.x[2 * i + 1]), mark));
    // Names stand on no line either, the boundary's least of all.
    const auto take_dot = [&](QPointF at) { taken.push_back(around(at, {3, 3})); };
    constexpr std::size_t dots = 64; // of the boundary; more would cost more than they tell
    for (std::size_t i = 0; i < field.boundary.size(); i += std::max<std::size_t>(1, field.boundary.size() / dots)) {
        const ContourPiece& piece = field.boundary[i];
        take_dot(geometry.at(field.square, field.grid.left + (piece.x0 + 0.5) * field.grid.cell, field.grid.bottom + (piece.y0 + 0.5) * field.grid.cell));
    }
    const std::size_t all_but_lines = taken.size();
    const auto take_lines = [&](std::size_t but) {
        for (std::size_t h = 0; h < field.neurons.size(); ++h)
            if (const auto line = place_line(field.neurons[h], field.square, geometry); line && h != but)
                for (int part = 0; part <= 16; ++part) take_dot(line->pointAt(part / 16.0));
    };
    std::vector<QRectF> names;
    for (std::size_t h = 0; h < field.neurons.size(); ++h) {
        const auto line = place_line(field.neurons[h], field.square, geometry);
        if (!line) continue;
        taken.resize(all_but_lines);
        taken.insert(taken.end(), names.begin(), names.end());
        take_lines(h); // its name stands beside its own
        const QPointF along = positive_side(field.neurons[h]);
        const double behind = away - arrow_length; // without the arrow between them
        Spot spot = freest(*line, away * along, size, taken, geometry.plot);
        QRectF name = around(spot.foot + away * along, size);
        if (spot.room <= 0) // rather on its other side than over something
            if (const Spot other = freest(*line, -behind * along, size, taken, geometry.plot); other.room > 0) {
                spot = other;
                name = around(spot.foot - behind * along, size);
            }
        const QPointF foot = spot.foot;
        for (const auto& [colour, width] : {std::pair(theme.surface, 3.0), std::pair(theme.ink2, 1.2)}) { // a thread of surface round it
            painter.setPen(QPen(colour, width, width > 2 ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap));
            painter.drawLine(*line);
            painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            paint_arrow(painter, foot, along);
        }
        paint_pill(painter, name, neuron_name(h), theme.ink, theme);
        names.push_back(name);
    }
    taken.resize(all_but_lines);
    taken.insert(taken.end(), names.begin(), names.end());
    take_lines(field.neurons.size());
    struct Label {
        QStringList said; ///< the longest first: a shorter one rather than over a point
        bool fault;
    };
    std::vector<Label> labels;
    if (field.not_finite > 0) {
        const int all = field.wish.cells * field.wish.cells;
        labels.push_back({{region_words::tr("✕ NaN or inf on %1 of %2 blocks").arg(field.not_finite).arg(all), QStringLiteral("✕ NaN")}, true});
    }
    // A neuron whose line lies elsewhere is named, too: that one is missing would be seen by nobody.
    const PlaneSquare& square = field.square;
    for (std::size_t h = 0; h < field.neurons.size(); ++h) {
        const NeuronLine& line = field.neurons[h];
        if (place_line(line, square, geometry)) continue;
        const QString name = neuron_name(h);
        const double middle = line.w1 * (square.left + square.size / 2) + line.w2 * (square.bottom + square.size / 2) + line.b;
        if (!std::isfinite(middle)) labels.push_back({{region_words::tr("%1 is not finite").arg(name), name + QStringLiteral(" ✕")}, true});
        else if (middle > 0) labels.push_back({{region_words::tr("%1 is positive everywhere here").arg(name), name + QStringLiteral(" > 0")}, false});
        else labels.push_back({{region_words::tr("%1 is positive nowhere here").arg(name), name + QStringLiteral(" ≤ 0")}, false});
    }
    std::vector<QRectF> firm(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(field.points.size())); // what no label may stand on, where it must stand on a line
    firm.insert(firm.end(), names.begin(), names.end());
    for (const Label& label : labels)
        for (const QString& said : label.said) {
            const QSizeF wide(fm.horizontalAdvance(said) + 10, fm.height());
            const QRectF inside = geometry.plot.adjusted(4 + wide.width() / 2, 4 + wide.height() / 2, -4 - wide.width() / 2, -4 - wide.height() / 2);
            if (inside.width() < 0 || inside.height() < 0) continue;
            Spot spot{inside.center(), -1};
            for (const double x : {inside.center().x(), inside.left(), inside.right()})
                if (const Spot other = freest(QLineF(x, inside.top(), x, inside.bottom()), {}, wide, taken, geometry.plot); other.room > spot.room) spot = other;
            if (spot.room <= 0 && said != label.said.back()) continue;
            if (spot.room <= 0)
                for (const double x : {inside.center().x(), inside.left(), inside.right()})
                    if (const Spot other = freest(QLineF(x, inside.top(), x, inside.bottom()), {}, wide, firm, geometry.plot); other.room > spot.room) spot = other;
            taken.push_back(around(spot.foot, wide));
            firm.push_back(taken.back());
            paint_pill(painter, taken.back(), said, label.fault ? theme.fault : theme.ink, theme);
            break;
        }
    painter.restore();
}

} // namespace gradus
