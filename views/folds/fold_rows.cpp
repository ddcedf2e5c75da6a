#include "views/folds/fold_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double most_grow = 1.7; // times the font
constexpr double least_picture = 2;                  // lines: a smaller one is a smudge
constexpr double comfortable = 4, worth_a_row = 1.25; // lines; times as large
constexpr double air = 0.25; // of a box: an arrow is so long at least where it can be

/// Width of all in the widest row but its matrices, divided among them: the width that is left for one.
double box_width(const std::vector<FoldUnit>& units, double width, const FoldRows& rows, const FoldSizes& sizes) {
    double least = width;
    for (std::size_t from = 0; from < units.size(); from += rows.per_row) {
        const std::size_t until = std::min(units.size(), from + rows.per_row);
        double taken = rows.ends ? sizes.arrow : 0; // into the first of them
        if (rows.ends && from == 0) taken += rows.data;
        for (std::size_t i = from; i < until; ++i)
            if (i + 1 < units.size() || rows.ends || !units[i].after.empty()) taken += fold_gap(units[i], rows.grow, sizes);
        if (rows.ends && until == units.size()) taken += rows.data;
        least = std::min(least, (width - taken) / static_cast<double>(until - from));
    }
    return std::floor(least);
}

} // namespace

std::vector<FoldUnit> fold_units(const std::vector<ChainStep>& chain) {
    std::vector<FoldUnit> out;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (chain[i].kind == ChainStep::Kind::matrix) out.push_back({i, {}});
        else if (!out.empty()) out.back().after.push_back(i);
    }
    return out;
}

double fold_steps_width(const std::vector<std::size_t>& steps, double grow, const FoldSizes& sizes) {
    if (steps.empty()) return 0;
    if (!sizes.in_line) return std::floor(sizes.between * grow);
    double out = 0;
    for (const std::size_t step : steps) out += std::floor(sizes.steps[step] * grow);
    return out;
}

int fold_arrows(const FoldUnit& unit, const FoldSizes& sizes) {
    return unit.after.empty() ? 1 : sizes.in_line ? static_cast<int>(unit.after.size()) + 1 : 2;
}

double fold_gap(const FoldUnit& unit, double grow, const FoldSizes& sizes) {
    return fold_steps_width(unit.after, grow, sizes) + fold_arrows(unit, sizes) * sizes.arrow;
}

double fold_stack(std::size_t words, double grow, const FoldSizes& sizes) {
    return static_cast<double>(words) * (std::floor(sizes.line * grow) + sizes.step_pad) - 2;
}

std::optional<FoldRows> fold_rows(const std::vector<FoldUnit>& units, double width, double height, double band, double beside, bool ends, const FoldSizes& sizes) {
    const std::size_t stacked = sizes.in_line ? 1 : static_cast<std::size_t>(std::max(1, sizes.words));
    const double least_height = std::max(sizes.line + 10, fold_stack(stacked, 1, sizes));
    std::optional<FoldRows> best;
    double best_side = 0;
    for (const double data : {ends ? sizes.data : 0, ends ? std::min(sizes.data, 2 * sizes.line) : 0}) {
        for (std::size_t count = 1; count <= units.size(); ++count) {
            FoldRows rows;
            rows.per_row = (units.size() + count - 1) / count;
            rows.rows = (units.size() + rows.per_row - 1) / rows.per_row;
            if (rows.rows != count) continue;
            rows.ends = data > 0;
            rows.data = data;
            const auto r = static_cast<double>(count);
            rows.width = box_width(units, width, rows, sizes);
            rows.height = std::floor((height - r * band - (r - 1) * fold_row_gap) / (r + beside));
            if (rows.width < sizes.box || rows.height < least_height) continue;
            const double side = std::min(rows.width, rows.height);
            if (best && (best_side >= comfortable * sizes.line || side < worth_a_row * best_side)) continue;
            best = rows;
            best_side = side;
        }
        if (best) break;
    }
    if (!best) return std::nullopt;
    // What is written grows with the boxes, as far as the widths were not counted on.
    FoldRows larger = *best;
    larger.grow = std::clamp(best_side / (5 * sizes.line), 1.0, most_grow);
    larger.width = box_width(units, width, larger, sizes);
    if (larger.width >= std::max(best->width * 0.85, sizes.box * larger.grow) && fold_stack(stacked, larger.grow, sizes) <= best->height) best = larger;
    // Boxes as large as they can be leave arrows that nobody sees.
    const double many = static_cast<double>(best->per_row), narrower = std::floor((many * best->width + (many + 1) * sizes.arrow) / (many + (many + 1) * air));
    if (narrower * air > sizes.arrow) best->width = std::max(narrower, std::floor(sizes.box * best->grow));
    const double strip = std::floor(sizes.line * best->grow) + 6, side = std::floor(std::min({best->width, best->height - strip, most_fold_picture * sizes.line}));
    if (sizes.legend > 0 && side >= std::max(least_picture * sizes.line, sizes.box)) {
        best->name = strip;
        best->width = side;
        best->height = side + strip;
    } else {
        best->width = std::min(best->width, std::max(std::floor(sizes.box * best->grow), 5 * sizes.line));
        best->height = std::min(best->height, std::max(least_height, std::floor(std::min(0.8 * best->width, 3 * sizes.line))));
    }
    return best;
}

} // namespace gradus
