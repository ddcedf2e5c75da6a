#include "views/roofline/roofline_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

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

/// Whether a line goes through a box.
bool crosses(const QPolygonF& line, const QRectF& box) {
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        double from = 0, to = 1; // the part of the segment that is between the box's sides
        const QPointF a = line[i], d = line[i + 1] - line[i];
        for (const auto& [start, step, low, high] : {std::tuple(a.x(), d.x(), box.left(), box.right()), std::tuple(a.y(), d.y(), box.top(), box.bottom())}) {
            if (std::abs(step) < 1e-9) {
                if (start < low || start > high) to = -1;
                continue;
            }
            const double one = (low - start) / step, other = (high - start) / step;
            from = std::max(from, std::min(one, other)), to = std::min(to, std::max(one, other));
        }
        if (from <= to) return true;
    }
    return false;
}

/// Where words may stand: within the plot, on nothing that is there.
struct Room {
    QRectF plot;
    std::vector<QRectF> taken;
    std::vector<QPolygonF> lines;

    /// The first of the corners that is free, null if none is. `on_lines`: rather on a line than nowhere.
    QRectF place(QSizeF size, const std::vector<QPointF>& corners, bool on_lines) {
        for (const bool clear : {true, false}) {
            if (size.isEmpty() || (!clear && !on_lines)) return {};
            for (const QPointF& corner : corners) {
                const QRectF rect(corner, size);
                if (!plot.contains(rect) || std::any_of(taken.begin(), taken.end(), [&](const QRectF& each) { return each.intersects(rect); })) continue;
                if (clear && std::any_of(lines.begin(), lines.end(), [&](const QPolygonF& line) { return crosses(line, rect); })) continue;
                taken.push_back(rect);
                return rect;
            }
        }
        return {};
    }
};

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
    std::vector<double> intensities, rates;
    for (const RooflineDot& dot : model.dots) {
        intensities.push_back(dot.intensity);
        rates.push_back(dot.measured.value_or(0)), rates.push_back(dot.modelled.value_or(0));
    }
    if (model.best) intensities.push_back(*model.best);
    for (const RooflineRoof& roof : model.roofs) intensities.push_back(roof.peak / roof.bandwidth), rates.push_back(roof.peak);
    decades(intensities, out.x_from, out.x_to), decades(rates, out.y_from, out.y_to);
    const double least = std::pow(10, out.x_from), most = std::pow(10, out.x_to), floor = std::pow(10, out.y_from);

    Room words{out.plot, {}, {}};
    for (const RooflineDot& dot : model.dots) {
        RooflineGeometry::Dot at;
        const auto point = [&](const std::optional<double>& rate) { return rate && *rate > 0 ? QPointF(out.x_of(dot.intensity), out.y_of(*rate)) : QPointF(); };
        at.measured = point(dot.measured), at.modelled = point(dot.modelled);
        for (const QPointF& each : {at.measured, at.modelled})
            if (!each.isNull()) words.taken.push_back(QRectF(each, QSizeF()).adjusted(-room.dot, -room.dot, room.dot, room.dot));
        out.dots.push_back(at);
    }
    for (const RooflineRoof& roof : model.roofs) {
        const double knee = roof.peak / roof.bandwidth, begin = std::max(least, floor / roof.bandwidth);
        QPolygonF line;
        if (begin < knee) line << QPointF(out.x_of(begin), out.y_of(begin * roof.bandwidth));
        line << QPointF(out.x_of(std::clamp(knee, least, most)), out.y_of(roof.peak)) << QPointF(out.x_of(most), out.y_of(roof.peak));
        out.roofs.push_back(line);
        words.lines.push_back(line);
    }
    for (const auto which : {&RooflineGeometry::Dot::measured, &RooflineGeometry::Dot::modelled}) {
        QPolygonF path;
        for (const RooflineGeometry::Dot& dot : out.dots)
            if (!(dot.*which).isNull()) path << dot.*which;
        words.lines.push_back(path);
    }
    if (model.best) {
        out.best_bottom = {out.x_of(*model.best), out.plot.bottom()};
        out.best_top = {out.best_bottom.x(), out.plot.top()};
        words.lines.push_back(QPolygonF{out.best_bottom, out.best_top});
    }
    for (RooflineGeometry::Dot& dot : out.dots) {
        const auto beside = [&](const QPointF& at) {
            if (at.isNull()) return QRectF();
            const double w = room.label.width(), h = room.label.height(), r = room.dot + 1;
            return words.place(room.label, {{at.x() - w / 2, at.y() - r - h}, {at.x() - w / 2, at.y() + r}, {at.x() + r, at.y() + 2}, {at.x() - r - w, at.y() - h - 2}, {at.x() + r, at.y() - h / 2}, {at.x() - r - w, at.y() - h / 2}, {at.x() - r - w, at.y() + 2}}, true);
        };
        dot.measured_label = beside(dot.measured), dot.modelled_label = beside(dot.modelled);
    }
    // A flat roof's words stand above its right end, or below it; a slope's beside it, where it begins, or further up.
    for (std::size_t i = 0; i < model.roofs.size(); ++i) {
        const QSizeF flat = i < room.flats.size() ? room.flats[i] : QSizeF(), slope = i < room.slopes.size() ? room.slopes[i] : QSizeF();
        const QPointF end = out.roofs[i].back();
        std::vector<QPointF> corners;
        for (const double x : {end.x() - flat.width(), model.best ? out.best_bottom.x() - flat.width() - beside_line : end.x()})
            for (const double y : {end.y() - flat.height() - beside_line, end.y() + beside_line}) corners.push_back({x, y});
        out.flats.push_back(words.place(flat, corners, true));
        corners.clear();
        if (out.roofs[i].size() == 3)
            for (const double along : {0.04, 0.2, 0.36, 0.52, 0.68, 0.84}) {
                const QPointF on = out.roofs[i][0] + (out.roofs[i][1] - out.roofs[i][0]) * along;
                const double rise = (out.roofs[i][0].y() - out.roofs[i][1].y()) / std::max(1.0, out.roofs[i][1].x() - out.roofs[i][0].x());
                const double aside = slope.height() / std::max(0.2, rise) / 2 + beside_line;
                corners.push_back({on.x() + aside, on.y() - slope.height() / 2});                 // right of it
                corners.push_back({on.x() - aside - slope.width(), on.y() - slope.height() / 2}); // left of it
            }
        out.slopes.push_back(words.place(slope, corners, false));
    }
    if (model.best) {
        const double x = out.best_bottom.x(), y = out.plot.bottom() - room.best.height() - beside_line;
        std::vector<QPointF> corners;
        for (const double up : {0.0, 1.5, 3.0, 4.5})
            for (const double left : {x - room.best.width() - 6, x + 6}) corners.push_back({left, y - up * room.best.height()});
        out.best_label = words.place(room.best, corners, false);
    }
    return out;
}

} // namespace gradus
