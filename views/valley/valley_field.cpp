#include "views/valley/valley_field.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr int samples = 257;      // of a parabola
constexpr int across = 72;        // cells along the bowl's shorter side
constexpr int rings = 5;          // contours from the bottom to the edge of the shorter side
constexpr int most_rings = 12;
} // namespace

double round_reach(double value) {
    if (!(value > 0) || !std::isfinite(value)) return 1;
    const double ten = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (step * ten >= value * (1 - 1e-9)) return step * ten;
    return 10 * ten;
}

std::shared_ptr<const ValleyField> valley_field(const ValleyWish& wish, const std::atomic<bool>& outdated) {
    auto field = std::make_shared<ValleyField>();
    field->wish = wish;
    using Kind = ObjectiveConstants::Kind;
    if (wish.constants.kind == Kind::line) return field; // its points are all there is
    Objective objective(wish.constants);
    if (wish.constants.kind == Kind::parabola) {
        const auto f = objective_curve(objective, -wish.reach, wish.reach, samples);
        for (int i = 0; i < samples; ++i) field->curve.emplace_back(wish.reach * (2.0 * i / (samples - 1) - 1), f[static_cast<std::size_t>(i)]);
        if (std::isfinite(f.back()) && f.back() > 0) field->top = f.back();
        return field;
    }
    const double cell = 2 * wish.reach / across;
    PlaneGrid grid;
    grid.cell = cell;
    grid.columns = 2 * static_cast<int>(std::ceil(wish.wide / cell)) + 2; // a cell more than is seen
    grid.rows = 2 * static_cast<int>(std::ceil(wish.high / cell)) + 2;
    grid.left = -cell * grid.columns / 2;
    grid.bottom = -cell * grid.rows / 2;
    const auto f = objective_grid(objective, grid, &outdated);
    if (f.empty()) return nullptr;
    // Squares of even steps: rings that are equally far apart.
    const double corner[] = {wish.reach, wish.reach}, far[] = {wish.wide, wish.high};
    const double edge = objective.at(corner), most = objective.at(far);
    for (int ring = 1; ring <= most_rings; ++ring) {
        const double level = edge * ring * ring / (rings * rings);
        if (!std::isfinite(level) || level > most) break;
        field->levels.push_back(level);
        for (const ContourPiece& piece : contour(f, grid.columns, grid.rows, level))
            field->contours.emplace_back(grid.left + (piece.x0 + 0.5) * cell, grid.bottom + (piece.y0 + 0.5) * cell,
                                         grid.left + (piece.x1 + 0.5) * cell, grid.bottom + (piece.y1 + 0.5) * cell);
    }
    return field;
}

} // namespace gradus
