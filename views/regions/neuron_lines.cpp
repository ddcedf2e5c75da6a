#include "views/regions/neuron_lines.hpp"

#include "views/regions/region_words.hpp"
#include "views/theme/numbers.hpp"
#include "views/theme/words.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

void paint_arrow(QPainter& painter, const QLineF& arrow) {
    const QPointF tip = arrow.p2(), along = (tip - arrow.p1()) / arrow.length(), across(-along.y(), along.x());
    painter.drawLine(arrow);
    painter.drawPolyline(QPolygonF({tip - 4 * along + 3 * across, tip, tip - 4 * along - 3 * across}));
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
        const QRectF box = box_around(foot + beside, size);
        if (!plot.adjusted(10, 10, -10, -10).contains(box.center())) continue;
        double room = INFINITY, away = INFINITY;
        for (const QRectF& other : taken) {
            room = std::min(room, gap_between(box, other));
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
    const std::vector<NeuronMark> marks = place_neuron_marks(field, geometry, size);
    for (const NeuronMark& mark : marks)
        for (const auto& [colour, width] : {std::pair(theme.surface, 3.0), std::pair(theme.ink2, 1.2)}) { // a thread of surface round it
            painter.setPen(QPen(colour, width, width > 2 ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap));
            painter.drawLine(mark.line);
            painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            if (mark.arrow) paint_arrow(painter, *mark.arrow);
        }
    std::vector<QRectF> names;
    for (const NeuronMark& mark : marks) {
        if (mark.name.isNull()) continue;
        paint_pill(painter, mark.name, neuron_name(mark.neuron), theme.ink, theme);
        names.push_back(mark.name);
    }
    std::vector<QRectF> firm = boxes_of_points(field, geometry); // what no label may stand on, where it must stand on a line
    firm.insert(firm.end(), names.begin(), names.end());
    std::vector<QRectF> taken = firm;
    for (const auto& boxes : {boxes_of_boundary(field, geometry), boxes_of_lines(field, geometry, field.neurons.size())}) taken.insert(taken.end(), boxes.begin(), boxes.end());
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
            taken.push_back(box_around(spot.foot, wide));
            firm.push_back(taken.back());
            paint_pill(painter, taken.back(), said, label.fault ? theme.fault : theme.ink, theme);
            break;
        }
    painter.restore();
}

} // namespace gradus
