#include "views/folds/fold_geometry.hpp"

#include "views/folds/fold_result.hpp"
#include "views/folds/fold_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double gap = 12, bracket_height = 5, bracket_gap = 4; // pixels

void add_brackets(FoldGeometry& out, const LegalFolds& folds, double beside) {
    for (std::size_t g = 0; g < folds.groups.size(); ++g) {
        const FoldGroup& group = folds.groups[g];
        const std::size_t first = out.brackets.size();
        for (std::size_t row = 0; row < out.bands.size(); ++row) {
            FoldGeometry::Bracket part;
            part.group = g;
            bool any = false;
            for (const FoldGeometry::Place& box : out.boxes) {
                const bool here = box.rect.bottom() <= out.bands[row].top() + 0.5 && (row == 0 || box.rect.top() > out.bands[row - 1].top());
                if (!here || box.step < group.first || box.step > group.last) continue;
                part.left = any ? part.left : box.rect.left();
                part.right = box.rect.right();
                any = true;
            }
            if (!any) continue;
            part.top = out.bands[row].top() + bracket_gap;
            part.bottom = part.top + bracket_height;
            part.opens = out.brackets.size() == first;
            part.closes = true;
            if (!part.opens) out.brackets.back().closes = false;
            out.brackets.push_back(part);
            if (out.label_lines == 0) continue;
            out.brackets.back().label = QRectF(part.left - beside, part.bottom + 2, part.right - part.left + 2 * beside, out.bands[row].bottom() - part.bottom - 2);
        }
        std::size_t widest = first;
        for (std::size_t i = first; i < out.brackets.size(); ++i)
            if (out.brackets[i].right - out.brackets[i].left > out.brackets[widest].right - out.brackets[widest].left) widest = i;
        for (std::size_t i = first; i < out.brackets.size(); ++i)
            if (i != widest) out.brackets[i].label = QRectF();
    }
}

/// What stands behind a matrix, one above the other or in line, with the arrows to it and on. Returns where the next thing begins.
double place_gap(FoldGeometry& out, const FoldUnit& unit, const QRectF& box, double width, double between, const FoldSizes& sizes) {
    const double y = box.center().y();
    const auto step = static_cast<std::ptrdiff_t>(unit.matrix);
    if (unit.after.empty()) {
        out.arrows.push_back({{box.right(), y}, {box.right() + width, y}, step});
        return box.right() + width;
    }
    const double line = std::floor(sizes.line * out.grow) + sizes.step_pad;
    if (sizes.in_line) {
        const double reach = (width - fold_steps_width(unit.after, out.grow, sizes)) / fold_arrows(unit, sizes);
        double x = box.right();
        std::ptrdiff_t flows = step;
        for (const std::size_t each : unit.after) {
            const double wide = std::floor(sizes.steps[each] * out.grow);
            out.arrows.push_back({{x, y}, {x + reach, y}, flows});
            out.words.push_back({each, QRectF(x + reach, y - (line - 2) / 2, wide, line - 2)});
            x += reach + wide;
            flows = static_cast<std::ptrdiff_t>(each);
        }
        out.arrows.push_back({{x, y}, {box.right() + width, y}, flows});
        return box.right() + width;
    }
    const double reach = (width - between) / 2;
    double top = y - fold_stack(unit.after.size(), out.grow, sizes) / 2;
    out.arrows.push_back({{box.right(), y}, {box.right() + reach, y}, step});
    for (const std::size_t each : unit.after) {
        out.words.push_back({each, QRectF(box.right() + reach, top, between, line - 2)});
        top += line;
    }
    out.arrows.push_back({{box.right() + reach + between, y}, {box.right() + width, y}, static_cast<std::ptrdiff_t>(unit.after.back())});
    return box.right() + width;
}

/// The rows of matrices from `top` on, in the middle of the width.
void place_rows(FoldGeometry& out, const std::vector<FoldUnit>& units, const FoldRows& rows, const QRectF& area, double top, double band, const FoldSizes& sizes) {
    const double between = std::floor(sizes.between * rows.grow);
    for (std::size_t from = 0; from < units.size(); from += rows.per_row) {
        const std::size_t until = std::min(units.size(), from + rows.per_row);
        const bool first = from == 0, last = until == units.size();
        const auto has_gap = [&](std::size_t i) { return i + 1 < units.size() || rows.ends || !units[i].after.empty(); };
        double taken = static_cast<double>(until - from) * rows.width + (rows.ends ? sizes.arrow + (first ? rows.data : 0) + (last ? rows.data : 0) : 0);
        double gaps = rows.ends ? 1 : 0;
        for (std::size_t i = from; i < until; ++i) {
            if (!has_gap(i)) continue;
            taken += fold_gap(units[i], rows.grow, sizes);
            gaps += fold_arrows(units[i], sizes);
        }
        const double more = std::floor(std::clamp((area.width() - taken) / std::max(1.0, gaps), 0.0, 4 * sizes.line));
        double x = area.left() + std::max(0.0, (area.width() - taken - gaps * more) / 2);
        const double y = top + rows.height / 2;
        if (rows.ends && first) {
            out.input = QRectF(x, top, rows.data, rows.height);
            x += rows.data;
        }
        if (rows.ends) {
            const std::ptrdiff_t step = first ? -1 : static_cast<std::ptrdiff_t>(units[from - 1].after.empty() ? units[from - 1].matrix : units[from - 1].after.back());
            out.arrows.push_back({{x, y}, {x + sizes.arrow + more, y}, step});
            x += sizes.arrow + more;
        }
        for (std::size_t i = from; i < until; ++i) {
            const QRectF box(x, top, rows.width, rows.height);
            out.boxes.push_back({units[i].matrix, box});
            x = box.right();
            if (has_gap(i)) x = place_gap(out, units[i], box, fold_gap(units[i], rows.grow, sizes) + fold_arrows(units[i], sizes) * more, between, sizes);
        }
        if (rows.ends && last) out.output = QRectF(x, top, rows.data, rows.height);
        out.bands.push_back(QRectF(area.left(), top + rows.height, area.width(), band));
        top += rows.height + band + fold_row_gap;
    }
}

/// One way to share the height: what is said below, whether what is left has a row, and lines under the brackets.
struct Plan {
    bool says = false, result = false;
    int lines = 2;
    bool beside = false; ///< what is said about a folded matrix takes no height
};

std::vector<Plan> plans_for(const FoldWanted& wanted) {
    if (!wanted.folds && !wanted.covered) return {{false, false, 0}};
    std::vector<Plan> out;
    if (wanted.covered || wanted.folds->matrices_left() < wanted.folds->matrices()) {
        if (!wanted.covered && wanted.folds->groups.size() == 1) out.push_back({true, true, 0, true});
        out.insert(out.end(), {{true, true, 1}, {true, true, 0}, {false, true, 1}, {false, true, 0}});
    }
    for (const int lines : {2, 1, 0}) {
        if (lines > 0) out.push_back({true, false, lines});
        out.push_back({false, false, lines});
    }
    return out;
}

} // namespace

const FoldGeometry::Place* FoldGeometry::at(QPointF point) const {
    for (const auto* list : {&boxes, &words, &kept})
        for (const Place& place : *list)
            if (place.rect.contains(point)) return &place;
    return nullptr;
}

const FoldGeometry::Folded* FoldGeometry::folded_at(QPointF point) const {
    for (const Folded& each : folded)
        if (each.rect.contains(point)) return &each;
    return nullptr;
}

namespace {

FoldGeometry lay_out(const std::vector<ChainStep>& chain, const FoldWanted& wanted, const QRectF& area, const FoldSizes& given, bool ends) {
    FoldGeometry out;
    const std::vector<FoldUnit> units = fold_units(chain);
    FoldSizes sizes = given;
    const double head = sizes.tall + 10;
    if (area.height() < head || area.width() < sizes.button) return out;
    out.button = QRectF(area.left(), area.top(), sizes.button, head);
    const double legend = area.width() - sizes.button - 3 * gap - sizes.count >= sizes.legend ? sizes.legend : 0;
    sizes.legend = legend; // colours without numbers say nothing
    out.count = QRectF(out.button.right() + gap, area.top(), std::max(0.0, area.right() - out.button.right() - gap - (legend > 0 ? legend + gap : 0)), head);
    if (units.empty()) return out;

    const double left_over = area.height() - head - gap, sentence = sizes.sentence + gap;
    const bool asked = wanted.folds || wanted.covered;
    for (const Plan& plan : plans_for(wanted)) {
        double band = asked ? bracket_gap + bracket_height + 2 + plan.lines * sizes.line : std::floor(0.6 * sizes.line);
        const double under = plan.result && !plan.beside ? fold_result_words(sizes) : 0, drop = plan.result ? fold_result_drop(sizes) : 0;
        const double room = left_over - (plan.says ? sentence : 0) - under - drop;
        const auto rows = fold_rows(units, area.width(), room, band, plan.result ? 1 : 0, ends, sizes);
        if (!rows || (plan.result && plan.lines == (rows->rows == 1 ? 1 : 0))) continue; // in one row each stands under its bracket
        out.beside = plan.beside;
        out.name = rows->name;
        out.grow = rows->grow;
        out.label_lines = plan.lines;
        const auto r = static_cast<double>(rows->rows);
        // Brackets that say nothing have air at least, and their covers a sign that is seen.
        if (asked && plan.lines == 0 && !plan.result) band += std::floor(std::clamp((room - r * (rows->height + band) - (r - 1) * fold_row_gap) / r, 0.0, sizes.line));
        const double upper = r * (rows->height + band) + (r - 1) * fold_row_gap;
        double lower = 0, kept = 0; // of the row of what is left, and of the room for it, which tells nothing
        if (plan.result) { // it takes what the upper rows, which are as wide as the room, cannot use
            FoldGeometry tried = out;
            place_rows(tried, units, *rows, area, 0, band, sizes);
            kept = fold_result_height(chain, {nullptr, true, false}, tried, area, room - upper, sizes);
            lower = fold_result_height(chain, wanted, tried, area, room - upper, sizes);
            if (lower <= 0) continue;
        }
        const double block = upper + (plan.result ? kept + under + drop : 0) + (plan.says ? sentence : 0);
        const double top = area.top() + head + gap + std::max(0.0, std::floor((left_over - block) / 2));
        place_rows(out, units, *rows, area, top, band, sizes);
        if (out.name > 0) out.legend = QRectF(area.right() - legend, area.top(), legend, head);
        if (wanted.folds) add_brackets(out, *wanted.folds, sizes.arrow);
        double bottom = out.bands.back().bottom();
        if (plan.result) {
            out.result = QRectF(area.left(), bottom + drop, area.width(), kept + under);
            if (!wanted.covered) place_fold_result(chain, wanted, out, area, lower, sizes);
            bottom = out.result.bottom();
        }
        if (plan.says) out.sentence = QRectF(area.left(), bottom + gap, area.width(), sizes.sentence);
        return out;
    }
    out.label_lines = 0;
    return out;
}

} // namespace

namespace {

/// What goes in and comes out goes last of all, after the air between steps that stand one above the other and what brackets say.
FoldGeometry lay_out_stacked(const std::vector<ChainStep>& chain, const FoldWanted& wanted, const QRectF& area, const FoldSizes& sizes) {
    constexpr double tight = 5; // pixels
    FoldSizes tighter = sizes;
    tighter.step_pad = std::min(sizes.step_pad, tight);
    FoldGeometry out;
    for (const bool ends : {true, false})
        for (const bool says : {true, false})
            for (const FoldSizes& each : {sizes, tighter}) {
                out = lay_out(chain, wanted, area, each, ends);
                const bool enough = !says || out.label_lines > 0 || !out.result.isNull() || (!wanted.folds && !wanted.covered);
                if (!out.boxes.empty() && enough) return out;
            }
    return out;
}

} // namespace

/// Several steps between two matrices stand in line where that takes nothing from the picture but a little of the boxes' size, or a row.
FoldGeometry lay_out_folds(const std::vector<ChainStep>& chain, const FoldWanted& wanted, const QRectF& area, const FoldSizes& sizes) {
    constexpr double smaller = 0.7;
    FoldGeometry stacked = lay_out_stacked(chain, wanted, area, sizes);
    if (sizes.words < 2 || sizes.steps.size() != chain.size() || stacked.boxes.empty()) return stacked;
    FoldSizes flat = sizes;
    flat.in_line = true;
    FoldGeometry out = lay_out(chain, wanted, area, flat, !stacked.input.isNull());
    const bool as_much = !out.boxes.empty() && out.result.isNull() == stacked.result.isNull() && out.sentence.isNull() == stacked.sentence.isNull() &&
                         out.label_lines >= stacked.label_lines && out.bands.size() <= stacked.bands.size() + 1 &&
                         out.boxes.front().rect.width() >= smaller * stacked.boxes.front().rect.width();
    return as_much ? out : stacked;
}

} // namespace gradus
