#include "views/valley/valley_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr double gap = 6; // pixels
constexpr double uphill_share = 0.15, longest_uphill = 0.4; // of the plot's shorter side

/// Beyond the ends of the axes: no number of a tick stands before or behind them.
void place_names(ValleyGeometry& g, const ValleyText& text) {
    g.across_name = QRectF(g.plot.right() + gap + 2, g.plot.bottom() - text.line / 2, text.across, text.line);
    g.up_name = QRectF(g.plot.left() - 4, g.plot.top() - 2 - text.line, text.up, text.line);
}
}

QPointF ValleyGeometry::at(double x, double y) const {
    return {plot.left() + (x - range.left) / (range.right - range.left) * plot.width(),
            plot.bottom() - (y - range.bottom) / (range.top - range.bottom) * plot.height()};
}

QPointF ValleyGeometry::from(QPointF pixel) const {
    return {range.left + (pixel.x() - plot.left()) / plot.width() * (range.right - range.left),
            range.bottom + (plot.bottom() - pixel.y()) / plot.height() * (range.top - range.bottom)};
}

bool ValleyGeometry::holds(QPointF pixel) const {
    // QRectF::contains() says yes to NaN.
    return std::isfinite(pixel.x()) && std::isfinite(pixel.y()) && plot.adjusted(-0.5, -0.5, 0.5, 0.5).contains(pixel);
}

QLineF ValleyGeometry::tangent(double w, double f, double slope) const {
    const double across = plot.width() / (range.right - range.left), up = plot.height() / (range.top - range.bottom);
    const double dx = across, dy = -slope * up, length = std::hypot(dx, dy);
    if (!(length > 0) || !std::isfinite(length)) return {};
    const double half = std::clamp(0.14 * plot.width(), 36.0, 140.0);
    const QPointF middle = at(w, f), along(half * dx / length, half * dy / length);
    return {middle - along, middle + along};
}

QLineF ValleyGeometry::update(double w, double next) const {
    const auto inside = [this](double x) { return std::clamp(at(x, range.bottom).x(), plot.left(), plot.right()); };
    if (std::isnan(w) || std::isnan(next)) return {};
    return {inside(w), plot.bottom(), inside(next), plot.bottom()};
}

QLineF ValleyGeometry::uphill(double w1, double w2, double g1, double g2, double first) const {
    const double length = std::hypot(g1, g2), side = std::min(plot.width(), plot.height());
    if (!(length > 0) || !std::isfinite(length) || !(first > 0)) return {};
    const QPointF foot = at(w1, w2), along = QPointF(g1, -g2) / length;
    const auto room = [](double from, double way, double low, double high) { return way > 0 ? (high - from) / way : way < 0 ? (low - from) / way : 1e9; };
    const QRectF inner = plot.adjusted(3, 3, -3, -3);
    const double free = std::min(room(foot.x(), along.x(), inner.left(), inner.right()), room(foot.y(), along.y(), inner.top(), inner.bottom()));
    const double longest = longest_uphill * side;
    const double pixels = std::clamp(uphill_share * side * length / first, std::min(ring + 10, longest), longest);
    return {foot, foot + along * std::max(pixels, std::min({ring + shaft, longest, free}))};
}

std::vector<QRectF> boxes_of(const QLineF& arrow, double half) {
    std::vector<QRectF> out;
    const int parts = std::max(1, static_cast<int>(arrow.length() / 4));
    for (int k = 0; k <= parts; ++k) out.push_back(QRectF(arrow.pointAt(k / static_cast<double>(parts)) - QPointF(half, half), QSizeF(2 * half, 2 * half)));
    return out;
}

QRectF ValleyGeometry::name_of(const QLineF& arrow, QSizeF size, const std::vector<QRectF>& taken) const {
    if (!(arrow.length() > 0)) return {};
    const QPointF along = (arrow.p2() - arrow.p1()) / arrow.length(), across(-along.y(), along.x());
    const auto reach = [&](QPointF way) { return std::abs(way.x()) * size.width() / 2 + std::abs(way.y()) * size.height() / 2; };
    const QRectF inner = plot.adjusted(2, 2, -2, -2);
    for (const double away : {gap, 2 * gap})
        for (const double share : {1.0, 0.7, 0.45, 0.2, 0.0, -0.4})
            for (const QPointF& way : {-across, across, along, (along - across) / std::sqrt(2.0), (along + across) / std::sqrt(2.0)}) {
                if (share < 1 && way == along) continue;
                const QPointF centre = arrow.pointAt(share) + way * (away + reach(way));
                const QRectF box(centre - QPointF(size.width() / 2, size.height() / 2), size);
                if (inner.contains(box) && std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); })) return box;
            }
    return {};
}

std::optional<QLineF> ValleyGeometry::beyond(QPointF pixel) const {
    if (!std::isfinite(pixel.x()) || !std::isfinite(pixel.y()) || holds(pixel)) return std::nullopt;
    constexpr double length = 28, margin = 3;
    const QRectF inner = plot.adjusted(margin, margin, -margin, -margin);
    const bool level = pixel.x() < plot.left() - 0.5 || pixel.x() > plot.right() + 0.5;
    QPointF tip(std::clamp(pixel.x(), inner.left(), std::max(inner.left(), inner.right())),
                std::clamp(pixel.y(), inner.top(), std::max(inner.top(), inner.bottom())));
    if (level) tip.setY(std::clamp(tip.y(), plot.top() + 14, std::max(plot.top() + 14, plot.bottom() - 14)));
    const QPointF along = level ? QPointF(pixel.x() > plot.center().x() ? 1 : -1, 0) : QPointF(0, pixel.y() > plot.center().y() ? 1 : -1);
    return QLineF(tip - length * along, tip);
}

QRectF ValleyGeometry::beside(QPointF place, QSizeF size) const {
    const double away = ring + gap;
    const bool right = place.x() >= at(0, range.bottom).x();
    double left = right ? place.x() + away : place.x() - away - size.width();
    double top = place.y() + 2;
    if (top + size.height() > plot.bottom() - gap) { // the axis is near: in the middle, where a parabola is wide enough
        const double share = std::min(1.0, (size.width() / 2 + gap + 4) / (plot.width() / 2));
        left = at(0, range.bottom).x() - size.width() / 2;
        top = std::min(place.y() - away, plot.bottom() - share * share * plot.height()) - size.height();
    } else if (left < plot.left() || left + size.width() > plot.right()) { // on its inner side, above the tangent
        left = right ? place.x() - away - size.width() : place.x() + away;
        top = place.y() - 2 - size.height();
    }
    left = std::clamp(left, plot.left(), std::max(plot.left(), plot.right() - size.width()));
    top = std::clamp(top, plot.top(), std::max(plot.top(), plot.bottom() - size.height()));
    return {QPointF(left, top), size};
}

ValleyGeometry lay_out_valley(const QRectF& area, ObjectiveConstants::Kind kind, const ValleyText& text, int rows, bool large) {
    ValleyGeometry g;
    const double below = text.line + gap; // numbers under the axis
    g.axes = area.width() >= 6 * text.number && area.width() >= 160 && area.height() >= 6 * text.line;
    g.labels = area.width() >= 14 * text.line && area.height() >= 9 * text.line;
    g.lane = kind == ObjectiveConstants::Kind::parabola && g.labels ? text.line + 14 : 0;
    const bool told = area.height() >= 7 * text.line && area.width() >= 8 * text.line;
    const double head = told ? rows * (text.line + 4) + gap : 0;
    if (told) g.readouts = QRectF(area.left(), area.top() - 2, area.width(), rows * (text.line + 4));
    const double left = g.axes ? text.number + 10 : 0, right = g.axes ? gap + 2 + text.across : 0;
    const double name = g.axes ? text.line + 2 : 0, foot = g.axes ? below : 0;
    g.plot = QRectF(area.left() + left, area.top() + head + name, std::max(1.0, area.width() - left - right),
                    std::max(1.0, area.height() - head - name - foot - g.lane - 2));
    if (g.axes) place_names(g, text);
    const double side = std::min(g.plot.width(), g.plot.height());
    g.stroke = large ? 1.2 : 1; // a class sees all of it larger anyway
    g.ring = large ? 8 : std::clamp(side / 40, 5.0, 9.0);
    if (large && kind == ObjectiveConstants::Kind::bowl) { // an arrow from the ring is more than its head
        g.ring = 5;
        g.shaft = 26;
    }
    g.head = kind == ObjectiveConstants::Kind::bowl && large ? 7 : 9 * g.stroke;
    g.dot = large ? 3.4 : std::clamp(side / 48, 2.6, 4.5);
    g.point = large ? 3 : std::clamp(side / 110, 2.0, 4.0);
    return g;
}

double room_beyond(ObjectiveConstants::Kind kind) {
    constexpr double parabola = 1.2, bowl = 1.5; // 1 / 1.5 + 2 · uphill_share < 1: the arrow ends inside
    return kind == ObjectiveConstants::Kind::bowl ? bowl : parabola;
}

ValleyRange bowl_range(const QRectF& plot, double reach) {
    const double unit = std::min(plot.width(), plot.height()) / (2 * reach); // pixels
    return {-plot.width() / (2 * unit), plot.width() / (2 * unit), -plot.height() / (2 * unit), plot.height() / (2 * unit)};
}

std::vector<double> round_ticks(double from, double until, int most) {
    std::vector<double> out;
    const double size = until - from;
    if (!(size > 0) || !std::isfinite(size) || most < 1) return out;
    double step = std::pow(10.0, std::floor(std::log10(size / most)));
    for (const double times : {2.0, 2.5, 2.0}) // 1, 2, 5, 10
        if (size / step > most) step *= times;
    for (double at = std::ceil(from / step - 1e-9) * step; at <= until + step * 1e-9; at += step)
        out.push_back(std::abs(at) < step * 1e-6 ? 0 : at);
    return out;
}

double without_idle_digits(double value, double per_pixel) {
    if (!(per_pixel > 0) || !std::isfinite(value)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(per_pixel)));
    return unit < 1 ? std::round(value * std::round(1 / unit)) / std::round(1 / unit) : std::round(value / unit) * unit;
}

} // namespace gradus
