// Three probabilities as a point in a triangle, the gradient as the arrow from y to it, and where the update takes it.
#include "views/probabilities/probability_painter.hpp"

#include "views/probabilities/probability_words.hpp"
#include "views/probabilities/triangle_labels.hpp"
#include "views/theme/words.hpp"

#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>

namespace gradus {

namespace {

using Quantity = ProbabilityQuantity;

constexpr double dot = triangle_dot;
constexpr double head = 11; // length of an arrow's head, pixels

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
}

void paint_arrows(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    const auto arrow = p.arrow();
    if (arrow) paint_arrow(painter, *arrow, dot + 1, 2.4, theme.gradient);
    paint_update(painter, p, theme);
}

void paint_labels(QPainter& painter, const ProbabilityPicture& p, const Theme& theme) {
    painter.setFont(text_font(metrics::text, QFont::DemiBold));
    const TextMetrics fm(painter.font());
    const QString update = probability_words::tr("update");
    const auto size_of = [&](const QString& word) { return QSizeF(fm.horizontalAdvance(word) + 4, fm.capHeight() + 4); };
    const TriangleLabels labels = place_triangle_labels(p, {size_of(QStringLiteral("p")), size_of(QStringLiteral("∂z")), size_of(update),
                                                            {corner_name_box(p, 0), corner_name_box(p, 1), corner_name_box(p, 2)}});
    const auto write = [&](const QRectF& box, const QString& word, const QColor& colour) {
        if (box.isNull()) return;
        painter.setPen(colour);
        write_at(painter, box.center(), word, theme);
    };
    write(labels.dz, QStringLiteral("∂z"), theme.gradient);
    write(labels.update, update, theme.optimizer);
    write(labels.p, QStringLiteral("p"), theme.data);
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
    }
    paint_labels(painter, picture, theme);
    paint_words(painter, picture, theme);
}

} // namespace gradus
