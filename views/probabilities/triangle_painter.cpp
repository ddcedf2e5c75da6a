// Three probabilities as a point in a triangle, the gradient as the arrow from y to it, and where the update takes it.
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
    draw_text(painter, QRectF(centre.x() - 80, centre.y() - 10, 160, 20), Qt::AlignCenter | Qt::TextDontClip, text);
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
        const QPolygonF step = p.step_curve();
        for (qsizetype i = 1; i < step.size(); ++i) keep(step[i - 1], step[i]);
        for (std::size_t i = 0; i < 3; ++i) keep(p.geometry.corners[i], p.geometry.corners[(i + 1) % 3]);
        if (!p.geometry.triangle.contains(place)) free = 0;
        if (free <= most) continue;
        most = free;
        best = place;
    }
    return best;
}

QString corner_name(const ProbabilityPicture& p, std::size_t i) {
    return probability_words::class_name(i) + (p.row.label() == static_cast<int>(i) ? QStringLiteral(" = y") : QString());
}

/// Below the lower corners, as wide as half a side and a line beyond; above the upper one.
QRectF corner_name_box(const ProbabilityPicture& p, std::size_t i) {
    const ProbabilityGeometry& g = p.geometry;
    const double line = g.contents.line, most = g.side() / 2 + line - 4;
    const double wide = std::min(most, TextMetrics(text_font(metrics::small_text, QFont::Bold)).horizontalAdvance(corner_name(p, i)) + 2);
    const QPointF at = g.corners[i];
    if (i == 2) return {at.x() - most, at.y() - line - 3, 2 * most, line};
    return {i == 0 ? at.x() - line : at.x() + line - wide, at.y() + 4, wide, line};
}

void paint_corners(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const ProbabilityGeometry& g = p.geometry;
    painter.setPen(QPen(theme.ink3, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(QPolygonF{g.corners[0], g.corners[1], g.corners[2]});
    for (std::size_t i = 0; i < 3; ++i) {
        const bool right = p.row.label() == static_cast<int>(i);
        painter.setFont(text_font(metrics::small_text, right ? QFont::Bold : QFont::Normal));
        painter.setPen(right ? theme.ink : theme.ink2);
        const QPointF at = g.corners[i];
        draw_text(painter, corner_name_box(p, i), (i == 2 ? Qt::AlignHCenter : i == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, corner_name(p, i));
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

/// Along the curve; the head points where its last piece does.
void paint_update(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const QPolygonF curve = p.step_curve();
    if (curve.size() < 2) return;
    const QPointF tip = curve.back();
    QPolygonF shaft;
    for (const QPointF& at : curve)
        if (std::hypot(at.x() - tip.x(), at.y() - tip.y()) > head * 0.8) shaft << at;
    painter.setPen(QPen(theme.optimizer, 2, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(shaft);
    if (shaft.isEmpty()) return;
    const QPointF back = shaft.back() - tip;
    const double length = std::hypot(back.x(), back.y());
    const QPointF along = -back / length, across(-along.y(), along.x()), neck = tip - along * head;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.optimizer);
    painter.drawPolygon(QPolygonF{tip, neck + across * head * 0.42, neck - across * head * 0.42});
    if (p.step()->length() < named) return;
    painter.setFont(text_font(metrics::text, QFont::DemiBold));
    painter.setPen(theme.optimizer);
    const QPointF over = curve[curve.size() / 2], out = over - p.step()->center();
    const QString word = probability_words::tr("update");
    const TextMetrics fm(painter.font());
    const double far = std::hypot(out.x(), out.y()), wide = fm.horizontalAdvance(word) / 2, high = fm.height() / 2;
    const QPointF way = out / std::max(1e-9, far); // half of the word's size in that direction, and a little
    write_at(painter, over + way * (std::abs(way.x()) * wide + std::abs(way.y()) * high + 5), word, theme);
}

void paint_arrows(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const auto arrow = p.arrow();
    if (arrow) paint_arrow(painter, *arrow, dot + 1, 2.4, theme.gradient);
    paint_update(painter, p, theme);
    if (!arrow || arrow->length() < named) return;
    const QPointF along = (arrow->p2() - arrow->p1()) / arrow->length();
    QPointF across(-along.y(), along.x());
    if (const auto step = p.step()) { // each on its own side
        const QPolygonF curve = p.step_curve();
        const QPointF aside = curve[curve.size() / 2] - step->center();
        if (across.x() * aside.x() + across.y() * aside.y() > 0) across = -across;
    }
    painter.setFont(text_font(metrics::text, QFont::DemiBold));
    painter.setPen(theme.gradient);
    for (const double along_it : {0.62, 0.5, 0.74, 0.38}) { // the corners' names may be near
        const QPointF place = arrow->pointAt(along_it) + across * 15;
        const QRectF box(place - QPointF(12, 8), QSizeF(24, 16));
        if (box.intersects(corner_name_box(p, 0)) || box.intersects(corner_name_box(p, 1))) continue;
        return write_at(painter, place, QStringLiteral("∂z"), theme);
    }
    write_at(painter, arrow->pointAt(0.62) - across * 15, QStringLiteral("∂z"), theme);
}

struct Words {
    QStringList starts; ///< the longest first
    std::vector<double> values;
    QColor colour;
};

/// The picture in numbers: what is computed where one stands.
std::vector<Words> words_of(const ProbabilityPicture& p, const Theme& theme) {
    std::vector<Words> out;
    if (!p.p_to_come) out.push_back({{QStringLiteral("p = ")}, p.row.p, theme.data});
    if (!p.row.y.empty()) out.push_back({{QStringLiteral("y = ")}, p.row.y, theme.ink});
    if (!p.row.dz.empty() && !p.dz_to_come) {
        out.push_back({{QStringLiteral("∂z = p − y = "), QStringLiteral("∂z = ")}, p.row.dz, theme.gradient});
        if (p.lr) out.push_back({{QStringLiteral("Δz = −η · ∂z = "), QStringLiteral("Δz = ")}, logit_step(p.row, *p.lr), theme.optimizer});
    }
    return out;
}

/// With the longest start that has room; empty: none has.
QString fitting(const Words& words, bool short_numbers, double width) {
    const TextMetrics fm(mono_font(metrics::small_text));
    for (const QString& start : words.starts) {
        const QString whole = start + probability_words::triple(words.values, short_numbers);
        if (fm.horizontalAdvance(whole) <= width) return whole;
    }
    return {};
}

/// Below the triangle; as many lines as fit.
void paint_words(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const QRectF& box = p.geometry.words;
    if (box.isNull()) return;
    painter.setFont(mono_font(metrics::small_text));
    const bool short_numbers = has_short_numbers(p);
    const double line = p.geometry.contents.line;
    double top = box.top();
    for (const Words& words : words_of(p, theme)) {
        if (top + line > box.bottom() + 0.5) return;
        const QString text = fitting(words, short_numbers, box.width());
        if (text.isEmpty()) continue;
        painter.setPen(words.colour);
        draw_text(painter, QRectF(box.left(), top, box.width(), line), Qt::AlignHCenter | Qt::AlignVCenter, text);
        top += line;
    }
}

} // namespace

bool words_fit(const ProbabilityPicture& picture, bool short_numbers) {
    if (picture.geometry.words.isNull() || !picture.has_triangle()) return true;
    const auto all = words_of(picture, {});
    return std::all_of(all.begin(), all.end(), [&](const Words& words) { return !fitting(words, short_numbers, picture.geometry.words.width()).isEmpty(); });
}

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
