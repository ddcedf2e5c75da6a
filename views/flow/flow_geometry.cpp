#include "views/flow/flow_geometry.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gradus {

namespace {

constexpr double header_height = 22, axis_height = 18, check_height = 56; // pixels
constexpr double line_pitch = 22, name_width = 34, layer_width = 58, value_width = 66, ratio_width = 62;
constexpr double gap = 24, tallest_row = 300, most_between = 8;

} // namespace

double DecadeScale::share(double value) const {
    if (!(value > 0)) return 0;
    return std::clamp((std::log10(value) - low) / std::max(1, high - low), 0.0, 1.0);
}

std::vector<int> DecadeScale::ticks(int most) const {
    std::vector<int> out;
    // Equal steps from one end to the other, both labelled: an axis must say where it starts.
    int step = std::max(1, static_cast<int>(std::ceil(static_cast<double>(high - low) / std::max(1, most - 1))));
    while (step < high - low && (high - low) % step != 0) ++step;
    for (int at = low; at <= high; at += step) out.push_back(at);
    return out;
}

void DecadeScale::include(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    const int below = static_cast<int>(std::floor(std::log10(value))), above = static_cast<int>(std::ceil(std::log10(value)));
    if (empty()) *this = {below, above};
    low = std::min(low, below);
    high = std::max(high, above);
}

DecadeScale DecadeScale::settled() const {
    if (empty()) return {-1, 0};
    return high > low ? *this : DecadeScale{low - 1, high};
}

const FlowGeometry::Line* FlowGeometry::line_at(QPointF point) const {
    for (const Line& line : lines)
        if (line.rect.contains(point) || line.update.contains(point)) return &line;
    return nullptr;
}

const FlowGeometry::Row* FlowGeometry::row_at(QPointF point) const {
    for (const Row& row : rows)
        if (row.rect.contains(point)) return &row;
    return nullptr;
}

FlowGeometry lay_out_flow(const std::vector<GradientLayer>& layers, const QRectF& area, bool checks, double least_pitch) {
    FlowGeometry g;
    g.area = area;
    if (layers.empty() || area.width() < 40 || area.height() < 40) return g;
    const bool check = checks && area.height() >= 190 && area.width() >= 280;
    const double bottom = area.bottom() - (check ? check_height + 8 : 0);
    if (check) g.check = QRectF(area.left(), area.bottom() - check_height, area.width(), check_height);
    g.header = QRectF(area.left(), area.top(), area.width(), header_height);

    // Columns come in the order of their worth; each is as wide as its share.
    const double width = area.width();
    std::array<double, 4> share{1, 0, 0, 0};
    if (width >= 500) share = {0.62, 0.38, 0, 0};
    if (width >= 700) share = {0.44, 0.24, 0.32, 0};
    if (width >= 960) share = {0.36, 0.19, 0.25, 0.20};
    const double shown = std::count_if(share.begin(), share.end(), [](double s) { return s > 0; });
    double x = area.left();
    for (std::size_t i = 0; i < share.size(); ++i) {
        if (share[i] == 0) continue;
        const double wide = std::floor((width - (shown - 1) * gap) * share[i]);
        const QRectF column(x, area.top(), wide, bottom - area.top());
        (i == 0 ? g.norms : i == 1 ? g.updates : i == 2 ? g.steps : g.sizes) = column;
        x += wide + gap;
    }

    const double top = area.top() + header_height, room = bottom - axis_height - top;
    const auto count = static_cast<double>(layers.size());
    g.row_height = std::min(room / count, tallest_row);
    g.axis = QRectF(area.left(), top + g.row_height * count, area.width(), axis_height);
    if (check) g.check.moveTop(std::min(g.check.top(), g.axis.bottom() + 8)); // it stays with the rows where they need less room
    g.names = width >= 240 && g.row_height >= least_pitch;
    const double layer_room = width >= 280 ? layer_width : width >= 200 ? 24 : 0;
    const bool ratios = width >= 300;
    const int fits = std::clamp(static_cast<int>(g.row_height / least_pitch), 1, static_cast<int>(gradient_kinds));
    const int every = std::max(1, static_cast<int>(std::ceil(least_pitch / g.row_height))); // rows per name
    // With room for fewer lines the weight stays longest, then what flows back, then the bias.
    constexpr std::array worth{GradientKind::weight, GradientKind::preactivation, GradientKind::bias, GradientKind::activation};
    std::vector<std::vector<GradientKind>> shown_kinds;
    double all_lines = 0;
    for (const GradientLayer& layer : layers) {
        std::vector<GradientKind>& kinds = shown_kinds.emplace_back();
        for (const GradientKind kind : worth)
            if (!layer.of(kind).name.empty() && static_cast<int>(kinds.size()) < fits) kinds.push_back(kind);
        std::sort(kinds.begin(), kinds.end());
        all_lines += static_cast<double>(std::max<std::size_t>(1, kinds.size()));
    }
    // One pitch for all lines; what they leave stands between the layers, half of it on each side of what divides them.
    const double height = g.row_height * count, between = std::clamp((height - all_lines * least_pitch) / count, 0.0, most_between);
    const double pitch = std::min(line_pitch, (height - count * between) / all_lines), free = (height - all_lines * pitch) / count;
    double row_top = top;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const std::vector<GradientKind>& kinds = shown_kinds[layer];
        const auto lines = static_cast<double>(kinds.size());
        FlowGeometry::Row row;
        row.layer = layer;
        row.rect = QRectF(area.left(), row_top, area.width(), std::max(1.0, lines) * pitch + free);
        row_top = row.rect.bottom();
        row.named = static_cast<int>(layer) % every == 0;
        const auto part = [&](const QRectF& column) {
            const double inset = std::min(6.0, row.rect.height() * 0.12);
            return column.isNull() ? QRectF() : QRectF(column.left(), row.rect.top() + inset, column.width(), row.rect.height() - 2 * inset);
        };
        row.steps = part(g.steps);
        row.sizes = part(g.sizes);
        if (ratios) row.ratio = QRectF(g.norms.right() - ratio_width, row.rect.top(), ratio_width, row.rect.height());
        double y = row.rect.center().y() - pitch * lines / 2;
        for (const GradientKind kind : kinds) {
            FlowGeometry::Line line;
            line.layer = layer;
            line.kind = kind;
            line.rect = QRectF(g.norms.left(), y, g.norms.width() - (ratios ? ratio_width : 0), pitch);
            const double left = g.norms.left() + layer_room + (g.names ? name_width : 0);
            const double right = line.rect.right() - (g.names ? value_width : 0);
            const double thick = std::min(pitch * 0.6, 12.0);
            line.bar = QRectF(left, y + (pitch - thick) / 2, std::max(1.0, right - left), thick);
            const bool parameter = kind == GradientKind::weight || kind == GradientKind::bias;
            if (parameter && !g.updates.isNull())
                line.update = QRectF(g.updates.left(), line.bar.top(), std::max(1.0, g.updates.width() - value_width), thick);
            row.lines.push_back(g.lines.size());
            g.lines.push_back(line);
            y += pitch;
        }
        g.rows.push_back(std::move(row));
    }
    return g;
}

} // namespace gradus
