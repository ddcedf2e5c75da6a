#include "views/regions/region_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

QPointF RegionGeometry::at(const PlaneSquare& square, double x, double y) const {
    return {plot.left() + (x - square.left) / square.size * plot.width(),
            plot.bottom() - (y - square.bottom) / square.size * plot.height()};
}

QPointF RegionGeometry::from(const PlaneSquare& square, QPointF pixel) const {
    return {square.left + (pixel.x() - plot.left()) / plot.width() * square.size,
            square.bottom + (plot.bottom() - pixel.y()) / plot.height() * square.size};
}

int RegionGeometry::point_at(const RegionField& field, QPointF pixel) const {
    int nearest = -1;
    double best = std::max(mark + 3, 7.0); // as far as a hand may miss
    for (std::size_t i = 0; i < field.points.size(); ++i) {
        const QPointF away = at(field.square, field.points.x[2 * i], field.points.x[2 * i + 1]) - pixel;
        const double distance = std::hypot(away.x(), away.y());
        if (distance <= best) {
            best = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

RegionGeometry lay_out_regions(const QRectF& area, std::size_t points) {
    constexpr double left = 42, bottom = 36, legend = 126, legend_high = 128, scale_wide = 60, gap = 16; // pixels
    constexpr std::size_t few = 16;
    RegionGeometry g;
    g.axes = area.width() >= 180 && area.height() >= 120;
    const bool below = area.height() > area.width() + 60;
    const bool has_legend = g.axes && (below || area.width() >= 300);
    const double x = g.axes ? left : 0, y = g.axes ? bottom : 0;
    const bool has_key = g.axes && !has_legend && area.width() >= 220 && area.height() >= 160;
    const double wide = area.width() - x - (has_legend && !below ? legend + gap : has_key ? scale_wide : 0);
    const double high = area.height() - y - (has_legend && below ? legend_high + gap : has_key ? key_row_height : 0);
    const double side = std::max(1.0, std::floor(std::min(wide, high)));
    // Plot and legend stand together in the middle of what is left.
    const double left_over = has_legend && !below ? area.width() - x - side - gap - legend : wide - side;
    g.plot = QRectF(std::round(area.left() + x + std::max(left_over / 2, 0.0)), std::round(area.top()), side, side);
    if (has_legend)
        g.legend = below ? QRectF(g.plot.left(), g.plot.bottom() + bottom + gap, std::max(side, 160.0), legend_high)
                         : QRectF(g.plot.right() + gap, g.plot.top(), std::min(legend + 60, area.right() - g.plot.right() - gap), std::floor(area.bottom()) - g.plot.top());
    if (has_key) {
        const double free = std::floor((area.bottom() - g.plot.bottom() - bottom) / key_row_height); // rows
        g.key = QRectF(area.left(), g.plot.bottom() + bottom, area.width(), key_row_height * std::clamp(free, 1.0, 3.0));
        g.scale = QRectF(g.plot.right() + 14, g.plot.top(), scale_wide - 14, std::min(side, 110.0));
    }
    g.mark = std::clamp(side / (points <= few ? 60 : 110), 2.5, 7.0);
    return g;
}

int cells_for(const RegionGeometry& geometry, bool playing) {
    const double side = geometry.plot.width();
    return playing ? std::clamp(static_cast<int>(side / 8), 1, 64) : std::clamp(static_cast<int>(side / 2), 1, 480);
}

std::vector<double> axis_ticks(double from, double size, int most) {
    std::vector<double> out;
    if (!(size > 0) || most < 1) return out;
    double step = std::pow(10.0, std::floor(std::log10(size / most)));
    for (const double times : {2.0, 2.5, 2.0}) // 1, 2, 5, 10
        if (size / step > most) step *= times;
    for (double at = std::ceil(from / step) * step; at <= from + size + step * 1e-9; at += step)
        out.push_back(std::abs(at) < step * 1e-6 ? 0 : at);
    return out;
}

double rounded_to_pixel(double value, double per_pixel) {
    if (!(per_pixel > 0)) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(per_pixel)));
    return unit < 1 ? std::round(value * std::round(1 / unit)) / std::round(1 / unit) : std::round(value / unit) * unit;
}

} // namespace gradus
