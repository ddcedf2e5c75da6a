#include "views/roofline/roofline_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradus {

namespace {

constexpr double beside_line = 4; // pixels between a line and its words

/// Whole decades that hold all numbers, with some air; two at least.
void decades(const std::vector<double>& numbers, int& from, int& to) {
    double low = std::numeric_limits<double>::max(), high = 0;
    for (const double each : numbers)
        if (each > 0 && std::isfinite(each)) low = std::min(low, each), high = std::max(high, each);
    if (high <= 0) low = 1, high = 10;
    from = static_cast<int>(std::floor(std::log10(low) - 0.15));
    to = static_cast<int>(std::ceil(std::log10(high) + 0.15));
    if (to - from < 2) to = from + 2;
}

bool is_free(const QRectF& rect, const std::vector<QRectF>& taken, const QRectF& plot) {
    if (!plot.contains(rect)) return false;
    return std::none_of(taken.begin(), taken.end(), [&](const QRectF& each) { return each.intersects(rect); });
}

/// The first place that is free; none: null.
QRectF place(QSizeF size, const std::vector<QPointF>& corners, std::vector<QRectF>& taken, const QRectF& plot) {
    if (size.isEmpty()) return {};
    for (const QPointF& corner : corners)
        if (const QRectF rect(corner, size); is_free(rect, taken, plot)) {
            taken.push_back(rect);
            return rect;
        }
    return {};
}

} // namespace

double RooflineGeometry::x_of(double intensity) const { return plot.left() + plot.width() * (std::log10(intensity) - x_from) / (x_to - x_from); }
double RooflineGeometry::y_of(double rate) const { return plot.bottom() - plot.height() * (std::log10(rate) - y_from) / (y_to - y_from); }

int RooflineGeometry::dot_at(QPointF point, double reach) const {
    int found = -1;
    double nearest = reach;
    for (std::size_t i = 0; i < dots.size(); ++i)
        for (const QPointF& each : {dots[i].measured, dots[i].modelled})
            if (const double far = std::hypot(each.x() - point.x(), each.y() - point.y()); !each.isNull() && far <= nearest) nearest = far, found = static_cast<int>(i);
    return found;
}

RooflineGeometry lay_out_roofline(const RooflineModel& model, const RooflineRoom& room, const QRectF& area) {
    RooflineGeometry out;
    out.plot = area.adjusted(room.left, room.top, -room.dot, -room.bottom);
    if (out.plot.width() < 20 || out.plot.height() < 20) {
        out.plot = {};
        return out;
    }
    std::vector<double> x, y;
    for (const RooflineDot& dot : model.dots) {
        x.push_back(dot.intensity);
        y.push_back(dot.measured.value_or(0)), y.push_back(dot.modelled.value_or(0));
    }
    if (model.best) x.push_back(*model.best);
    for (const RooflineRoof& roof : model.roofs) x.push_back(roof.peak / roof.bandwidth), y.push_back(roof.peak);
    decades(x, out.x_from, out.x_to), decades(y, out.y_from, out.y_to);
    const double least = std::pow(10, out.x_from), most = std::pow(10, out.x_to), floor = std::pow(10, out.y_from);

    std::vector<QRectF> taken;
    for (const RooflineDot& dot : model.dots) {
        RooflineGeometry::Dot at;
        const auto point = [&](const std::optional<double>& rate) { return rate && *rate > 0 ? QPointF(out.x_of(dot.intensity), out.y_of(*rate)) : QPointF(); };
        at.measured = point(dot.measured), at.modelled = point(dot.modelled);
        for (const QPointF& each : {at.measured, at.modelled})
            if (!each.isNull()) taken.push_back(QRectF(each, QSizeF()).adjusted(-room.dot, -room.dot, room.dot, room.dot));
        out.dots.push_back(at);
    }
    for (const RooflineRoof& roof : model.roofs) {
        const double knee = roof.peak / roof.bandwidth, begin = std::max(least, floor / roof.bandwidth);
        QPolygonF line;
        if (begin < knee) line << QPointF(out.x_of(begin), out.y_of(begin * roof.bandwidth));
        line << QPointF(out.x_of(std::clamp(knee, least, most)), out.y_of(roof.peak)) << QPointF(out.x_of(most), out.y_of(roof.peak));
        out.roofs.push_back(line);
    }
    // A flat roof's words stand above its right end, or below it; a slope's beside it, where it begins, or further up.
    for (std::size_t i = 0; i < model.roofs.size(); ++i) {
        const QSizeF flat = i < room.flats.size() ? room.flats[i] : QSizeF(), slope = i < room.slopes.size() ? room.slopes[i] : QSizeF();
        const QPointF end = out.roofs[i].back();
        out.flats.push_back(place(flat, {{end.x() - flat.width(), end.y() - flat.height() - beside_line}, {end.x() - flat.width(), end.y() + beside_line}}, taken, out.plot));
        std::vector<QPointF> corners;
        if (out.roofs[i].size() == 3)
            for (const double along : {0.04, 0.2, 0.36, 0.52, 0.68}) {
                const QPointF on = out.roofs[i][0] + (out.roofs[i][1] - out.roofs[i][0]) * along;
                const double rise = (out.roofs[i][0].y() - out.roofs[i][1].y()) / std::max(1.0, out.roofs[i][1].x() - out.roofs[i][0].x());
                corners.push_back({on.x() + slope.height() / std::max(0.2, rise) + beside_line, on.y() - slope.height() / 2}); // right of it
            }
        out.slopes.push_back(place(slope, corners, taken, out.plot));
    }
    for (RooflineGeometry::Dot& dot : out.dots) {
        const auto beside = [&](const QPointF& at) {
            if (at.isNull()) return QRectF();
            const double w = room.label.width(), h = room.label.height(), r = room.dot + 2;
            return place(room.label, {{at.x() - w / 2, at.y() - r - h}, {at.x() + r, at.y() - h / 2}, {at.x() - w / 2, at.y() + r}, {at.x() - r - w, at.y() - h / 2}}, taken, out.plot);
        };
        dot.measured_label = beside(dot.measured), dot.modelled_label = beside(dot.modelled);
    }
    if (model.best) {
        out.best_bottom = {out.x_of(*model.best), out.plot.bottom()};
        out.best_top = {out.best_bottom.x(), out.plot.top()};
        const double x = out.best_bottom.x(), y = out.plot.bottom() - room.best.height() - beside_line;
        std::vector<QPointF> corners;
        for (const double up : {0.0, 1.5, 3.0, 4.5})
            for (const double left : {x - room.best.width() - 6, x + 6}) corners.push_back({left, y - up * room.best.height()});
        out.best_label = place(room.best, corners, taken, out.plot);
    }
    return out;
}

} // namespace gradus
