// Three probabilities as a point in a triangle, and the gradient as the arrow from y to it.
#include "views/probabilities/probability_painter.hpp"

#include "views/probabilities/probability_words.hpp"
#include "views/theme/polyline.hpp"
#include "views/theme/words.hpp"

#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace gradus {

namespace {

using Quantity = ProbabilityQuantity;

constexpr double dot = 6;        // radius of p, pixels
constexpr double head = 11;      // length of an arrow's head
constexpr double named = 64;     // shorter arrows have no room for a name

void paint_arrow(QPainter& painter, const QLineF& line, double stop, double width, const QColor& colour) {
    const double length = line.length();
    if (length < head + stop + 2) return; // it has almost vanished: no direction can be read
    const QPointF along = (line.p2() - line.p1()) / length, across(-along.y(), along.x());
    const QPointF tip = line.p2() - along * stop, neck = tip - along * head;
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line.p1(), neck + along);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{tip, neck + across * head * 0.42, neck - across * head * 0.42});
}

/// On a ground of its own: it may stand on an edge.
void write_at(QPainter& painter, QPointF centre, const QString& text, const Theme& theme) {
    const double wide = TextMetrics(painter.font()).horizontalAdvance(text) + 4, high = TextMetrics(painter.font()).capHeight() + 4;
    painter.fillRect(QRectF(centre.x() - wide / 2, centre.y() - high / 2, wide, high), theme.surface);
    draw_text(painter, QRectF(centre.x() - 40, centre.y() - 10, 80, 20), Qt::AlignCenter, text);
}

/// The place beside a point that is farthest from lines and corners.
QPointF free_place(const ProbabilityPicture& p, QPointF at) {
    constexpr double away = 17; // pixels
    QPointF best = at;
    double most = -1;
    for (int k = 0; k < 12; ++k) {
        const double angle = std::numbers::pi * k / 6;
        const QPointF place = at + QPointF(std::cos(angle), std::sin(angle)) * away;
        double free = away;
        const auto keep = [&](const QPointF& a, const QPointF& b) { free = std::min(free, distance_to(std::array{a, b}, place)); };
        if (const auto arrow = p.arrow()) keep(arrow->p1(), arrow->p2());
        if (const auto step = p.step()) keep(step->p1(), step->p2());
        for (std::size_t i = 0; i < 3; ++i) keep(p.geometry.corners[i], p.geometry.corners[(i + 1) % 3]);
        if (!p.geometry.triangle.contains(place)) free = 0;
        if (free <= most) continue;
        most = free;
        best = place;
    }
    return best;
}

void paint_corners(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const ProbabilityGeometry& g = p.geometry;
    painter.setPen(QPen(theme.ink3, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(QPolygonF{g.corners[0], g.corners[1], g.corners[2]});
    const double line = g.contents.line;
    for (std::size_t i = 0; i < 3; ++i) {
        const bool right = p.row.label() == static_cast<int>(i);
        painter.setFont(text_font(metrics::small_text, right ? QFont::Bold : QFont::Normal));
        painter.setPen(right ? theme.ink : theme.ink2);
        const QString text = probability_words::class_name(i) + (right ? QStringLiteral(" = y") : QString());
        const double wide = g.side() / 2 + line - 4;
        const QPointF at = g.corners[i];
        if (i == 2) draw_text(painter, QRectF(at.x() - wide, at.y() - line - 3, 2 * wide, line), Qt::AlignHCenter | Qt::AlignVCenter, text);
        else draw_text(painter, QRectF(i == 0 ? at.x() - line : at.x() + line - wide, at.y() + 4, wide, line),
                       (i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, text);
        if (!right) continue;
        painter.setPen(QPen(theme.ink, 2));
        painter.setBrush(theme.surface);
        painter.drawEllipse(at, dot, dot);
    }
}

void paint_path(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    if (p.p_to_come || p.path.size() < 2) return;
    QPolygonF line;
    for (const std::array<double, 3>& shares : p.path)
        if (std::isfinite(shares[0]) && std::isfinite(shares[1]) && std::isfinite(shares[2])) line << p.geometry.at(shares);
    painter.setPen(QPen(theme.data, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    if (p.path.size() > 60) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.data);
    for (const QPointF& at : line) painter.drawEllipse(at, 1.8, 1.8);
}

void paint_arrows(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const auto arrow = p.arrow();
    if (!arrow) return;
    paint_arrow(painter, *arrow, dot + 1, 2.4, theme.gradient);
    const auto step = p.step();
    if (step) paint_arrow(painter, *step, 0, 2, theme.optimizer);
    if (arrow->length() < named) return;
    const QPointF along = (arrow->p2() - arrow->p1()) / arrow->length();
    QPointF across(-along.y(), along.x());
    if (step) { // each on its own side
        const QPointF aside = step->center() - arrow->center();
        if (across.x() * aside.x() + across.y() * aside.y() > 0) across = -across;
    }
    painter.setFont(text_font(metrics::text, QFont::DemiBold));
    painter.setPen(theme.gradient);
    write_at(painter, arrow->pointAt(0.62) + across * 15, QStringLiteral("∂z"), theme);
    if (!step) return;
    painter.setPen(theme.optimizer);
    write_at(painter, step->center() - across * 15, QStringLiteral("Δz"), theme);
}

/// The same in numbers, below; those that fit.
void paint_words(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const QRectF& box = p.geometry.words;
    if (box.isNull()) return;
    struct Line {
        QStringList starts; ///< the longest first
        std::vector<double> values;
        QColor colour;
    };
    std::vector<Line> lines;
    if (!p.p_to_come) lines.push_back({{QStringLiteral("p = ")}, p.row.p, theme.data});
    if (!p.row.y.empty()) lines.push_back({{QStringLiteral("y = ")}, p.row.y, theme.ink});
    if (!p.row.dz.empty() && !p.dz_to_come) {
        lines.push_back({{QStringLiteral("∂z = p − y = "), QStringLiteral("∂z = ")}, p.row.dz, theme.gradient});
        if (p.lr) lines.push_back({{QStringLiteral("Δz = −η · ∂z = "), QStringLiteral("Δz = ")}, logit_step(p.row, *p.lr), theme.optimizer});
    }
    painter.setFont(mono_font(metrics::small_text));
    const TextMetrics fm(painter.font());
    const double line = p.geometry.contents.line;
    double top = box.top();
    for (const Line& each : lines) {
        if (top + line > box.bottom() + 0.5) return;
        const auto text = [&]() -> QString {
            for (const bool short_numbers : {false, true})
                for (const QString& start : each.starts) {
                    const QString whole = start + probability_words::triple(each.values, short_numbers);
                    if (fm.horizontalAdvance(whole) <= box.width()) return whole;
                }
            return {};
        }();
        if (text.isEmpty()) continue;
        painter.setPen(each.colour);
        draw_text(painter, QRectF(box.left(), top, box.width(), line), Qt::AlignHCenter | Qt::AlignVCenter, text);
        top += line;
    }
}

} // namespace

void paint_probability_triangle(QPainter& painter, const ProbabilityPicture& picture, const Theme& theme) {
    if (!picture.has_triangle()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paint_corners(painter, picture, theme);
    paint_path(painter, picture, theme);
    paint_arrows(painter, picture, theme);
    if (const auto at = picture.point()) {
        painter.setPen(QPen(theme.surface, 1.5));
        painter.setBrush(theme.data);
        painter.drawEllipse(*at, dot, dot);
        painter.setFont(text_font(metrics::text, QFont::DemiBold));
        painter.setPen(theme.data);
        write_at(painter, free_place(picture, *at), QStringLiteral("p"), theme);
    }
    paint_words(painter, picture, theme);
}

} // namespace gradus
