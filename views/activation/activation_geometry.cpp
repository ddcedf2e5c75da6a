#include "views/activation/activation_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr std::size_t functions = 6, of_one_scale = 3; // the first three stay within -1 and 1
constexpr double inset = 8, header_height = 20, left = 24, right = 18, bottom = 18; // pixels: frame, name, y labels, names of curves, z labels
constexpr double name_row = 13; // pixels, under the z labels
constexpr double gap = 12, least_plot_width = 96, least_plot_height = 56, class_plot_height = 80, widest = 2.2; // widest: of height

struct Grid {
    int columns, rows;
    std::size_t count() const { return static_cast<std::size_t>(columns * rows); }
};

QSizeF cell_of(const QRectF& area, Grid grid) {
    return {(area.width() - gap * (grid.columns - 1)) / grid.columns, (area.height() - gap * (grid.rows - 1)) / grid.rows};
}

/// Which functions `count` panels show.
std::vector<std::size_t> chosen(std::size_t count, std::size_t in_use) {
    std::vector<std::size_t> out;
    if (count == functions || count == of_one_scale) {
        const std::size_t first = count == functions || in_use < of_one_scale ? 0 : of_one_scale;
        for (std::size_t i = 0; i < count; ++i) out.push_back(first + i);
    } else if (count == 2) {
        constexpr std::size_t step = 0, relu = 3;
        out = {step, in_use == step ? relu : in_use};
    } else {
        out = {in_use};
    }
    return out;
}

} // namespace

QPointF ActivationGeometry::Panel::at(double z, double y) const {
    return {plot.left() + (z - least_z) / (most_z - least_z) * plot.width(), plot.bottom() - (y - least_y) / (most_y - least_y) * plot.height()};
}

bool ActivationGeometry::Panel::holds(double z, double y) const { return z >= least_z && z <= most_z && y >= least_y && y <= most_y; }

const ActivationGeometry::Panel* ActivationGeometry::panel_at(QPointF point) const {
    for (const Panel& panel : panels)
        if (panel.rect.contains(point)) return &panel;
    return nullptr;
}

const ActivationGeometry::Panel* ActivationGeometry::panel_of(std::size_t op) const {
    for (const Panel& panel : panels)
        if (panel.op == op) return &panel;
    return nullptr;
}

ActivationGeometry lay_out_activations(const QRectF& area, std::size_t in_use, bool in_class) {
    ActivationGeometry g;
    const double least_width = 2 * inset + left + least_plot_width + right;
    const double least_height_of_plot = in_class ? class_plot_height : least_plot_height;
    const double least_height = 2 * inset + header_height + least_height_of_plot + bottom;
    Grid grid{1, 1};
    for (const Grid one : {Grid{3, 2}, {2, 3}, {3, 1}, {1, 3}, {2, 1}, {1, 2}}) {
        if (in_class && one.count() > 2) continue;
        const QSizeF cell = cell_of(area, one);
        if (cell.width() < least_width || cell.height() < least_height) continue;
        grid = one;
        break;
    }
    QSizeF cell = cell_of(area, grid);
    if (cell.width() < 1 || cell.height() < 1) return g;
    cell.setWidth(std::min(cell.width(), std::max(least_width, widest * cell.height()))); // longer ones are no rounder
    const double row_width = cell.width() * grid.columns + gap * (grid.columns - 1);
    const double from = area.left() + std::max(0.0, std::floor((area.width() - row_width) / 2));
    const auto ops = chosen(grid.count(), in_use);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const auto column = static_cast<double>(i % static_cast<std::size_t>(grid.columns)), row = static_cast<double>(i / static_cast<std::size_t>(grid.columns));
        ActivationGeometry::Panel panel;
        panel.op = ops[i];
        panel.rect = QRectF(from + std::round(column * (cell.width() + gap)), area.top() + std::round(row * (cell.height() + gap)),
                            std::floor(cell.width()), std::floor(cell.height()));
        const QRectF inside = panel.rect.adjusted(inset, inset, -inset, -inset);
        panel.header = QRectF(inside.left(), inside.top(), std::max(1.0, inside.width()), header_height);
        const double below = bottom + (inside.height() - header_height - bottom >= least_height_of_plot + name_row ? name_row : 0);
        panel.plot = QRectF(inside.left() + left, inside.top() + header_height, std::max(1.0, inside.width() - left - right),
                            std::max(1.0, inside.height() - header_height - below));
        if (below > bottom) panel.z_name = QRectF(panel.plot.left(), inside.bottom() - name_row - 1, panel.plot.width(), name_row + 3);
        const bool bounded = panel.op < of_one_scale;
        panel.least_y = bounded ? -1.25 : -1;
        panel.most_y = bounded ? 1.25 : 4.5;
        g.panels.push_back(panel);
    }
    return g;
}

std::vector<double> activation_ticks(double least, double most) {
    const double step = most - least > 3 ? 2 : 1;
    std::vector<double> out;
    for (double at = std::ceil(least / step) * step; at <= most; at += step) out.push_back(at + 0.0); // no -0
    return out;
}

} // namespace gradus
