#include "views/folds/fold_result.hpp"

#include "views/folds/fold_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gradus {

namespace {

/// Where the middles of the folded matrices stand, and how wide each can be.
struct Columns {
    std::vector<double> centre;
    double width = 0;
    bool falls = false;
};

bool parted(const std::vector<ChainStep>& chain, const LegalFolds& folds) {
    return folds.groups.size() > 1 || (!folds.groups.empty() && folds.groups.back().last + 1 < chain.size());
}

double between_of(const std::vector<ChainStep>& chain, const FoldGeometry& rows, const FoldSizes& sizes) {
    double out = 0;
    for (const FoldUnit& unit : fold_units(chain)) out = std::max(out, fold_gap(unit, rows.grow, sizes));
    return std::max(out, std::floor(sizes.between * rows.grow) + 2 * sizes.arrow) + 2; // what rounding may take
}

/// Under their brackets where the matrices stand in one row, else evenly.
Columns columns_of(const std::vector<ChainStep>& chain, const LegalFolds& folds, const FoldGeometry& rows, const QRectF& area, const FoldSizes& sizes) {
    const double between = between_of(chain, rows, sizes);
    const bool ends = !rows.input.isNull(), tail = parted(chain, folds) && folds.groups.back().last + 1 < chain.size();
    const double left = ends ? rows.input.right() + sizes.arrow : area.left();
    const bool one_row = rows.bands.size() == 1;
    const double right = (ends && one_row ? rows.output.left() : area.right() - (ends ? rows.input.width() : 0)) - (tail ? between : ends ? sizes.arrow : 0);
    const double from = one_row ? left : area.left() + (ends ? rows.input.width() + sizes.arrow : 0);
    const auto count = static_cast<double>(folds.groups.size());
    Columns even, falling;
    even.width = (right - from - (count - 1) * between) / count;
    for (double i = 0; i < count; ++i) even.centre.push_back(from + (i + 0.5) * even.width + i * between);
    if (!one_row) return even;
    falling.falls = true;
    for (const FoldGroup& group : folds.groups) {
        double first = right, last = left;
        for (const FoldGeometry::Place& box : rows.boxes) {
            if (box.step < group.first || box.step > group.last) continue;
            first = std::min(first, box.rect.left());
            last = std::max(last, box.rect.right());
        }
        falling.centre.push_back((first + last) / 2);
    }
    falling.width = 2 * std::min(falling.centre.front() - from, right - falling.centre.back());
    for (std::size_t i = 1; i < falling.centre.size(); ++i) falling.width = std::min(falling.width, falling.centre[i] - falling.centre[i - 1] - between);
    return falling.width >= std::max(sizes.box, rows.boxes.front().rect.width() * 0.9) ? falling : even;
}

} // namespace

double fold_result_words(const FoldSizes& sizes) { return 4 + 2 * sizes.line; }
double fold_result_drop(const FoldSizes& sizes) { return std::max(10.0, sizes.line); }

double fold_result_height(const std::vector<ChainStep>& chain, const FoldWanted& wanted, const FoldGeometry& rows, const QRectF& area, double most,
                          const FoldSizes& sizes) {
    double width = most;
    if (!wanted.covered) {
        width = columns_of(chain, *wanted.folds, rows, area, sizes).width;
        if (width < sizes.box || (rows.beside && width - std::min(most, most_fold_picture * sizes.line) < 2 * (sizes.said + sizes.line + 4))) return 0;
    }
    const double least = rows.boxes.front().rect.height();
    if (rows.name <= 0) return std::min(most, least);
    return std::floor(std::min({most, width + rows.name, most_fold_picture * sizes.line + rows.name}));
}

void place_fold_result(const std::vector<ChainStep>& chain, const FoldWanted& wanted, FoldGeometry& out, const QRectF& area, double height,
                       const FoldSizes& sizes) {
    const LegalFolds& folds = *wanted.folds;
    const Columns columns = columns_of(chain, folds, out, area, sizes);
    out.falls = columns.falls;
    const double under = out.beside ? 0 : fold_result_words(sizes), top = out.result.top() + std::floor((out.result.height() - under - height) / 2), y = top + height / 2;
    const double wanted_width = out.name > 0 ? height - out.name : std::max(out.boxes.front().rect.width(), 5 * sizes.line);
    const double width = std::floor(std::min(columns.width, std::max(wanted_width, sizes.folded * out.grow)));
    const bool ends = !out.input.isNull();
    if (ends) {
        const bool one_row = out.bands.size() == 1;
        out.folded_input = QRectF(one_row ? out.input.left() : area.left(), top, out.input.width(), height);
        const double right = one_row ? out.output.left() : area.right() - out.input.width();
        out.folded_output = QRectF(right, top, out.input.width(), height);
    }
    const double room = std::floor(sizes.between * out.grow), line = std::floor(sizes.line * out.grow) + sizes.step_pad;
    double from = ends ? out.folded_input.right() : 0;
    std::ptrdiff_t flows = -1;
    bool drawn = ends;
    const auto arrow = [&](double until) {
        if (drawn && until > from) out.folded_arrows.push_back({{from, y}, {until, y}, flows});
        drawn = true;
    };
    for (std::size_t g = 0; g < folds.groups.size(); ++g) {
        const double centre = columns.centre[g];
        const QRectF rect(std::round(centre - width / 2), top, width, height);
        arrow(rect.left());
        const double before = g > 0 ? (columns.centre[g - 1] + centre) / 2 : area.left();
        const double behind = g + 1 < folds.groups.size() ? (centre + columns.centre[g + 1]) / 2 : area.right();
        const double half = std::min(centre - before, behind - centre) - 4;
        out.folded.push_back({g, rect, out.beside ? QRectF(rect.right() + sizes.line, y + sizes.line / 2, sizes.said, 2 * sizes.line)
                                                  : QRectF(centre - half, rect.bottom() + 4, 2 * half, 2 * sizes.line)});
        from = rect.right();
        flows = static_cast<std::ptrdiff_t>(folds.groups[g].last);
        const std::size_t next = g + 1 < folds.groups.size() ? folds.groups[g + 1].first : chain.size();
        const std::size_t steps = next - folds.groups[g].last - 1;
        if (steps == 0) continue;
        const double until = g + 1 < folds.groups.size() ? columns.centre[g + 1] - width / 2 : ends ? out.folded_output.left() : area.right();
        if (sizes.in_line) {
            std::vector<std::size_t> all(steps);
            std::iota(all.begin(), all.end(), folds.groups[g].last + 1);
            const double apart = (until - from - fold_steps_width(all, out.grow, sizes)) / static_cast<double>(steps + 1);
            for (const std::size_t step : all) {
                const double wide = std::floor(sizes.steps[step] * out.grow), at = std::round(from + apart);
                arrow(at);
                out.kept.push_back({step, QRectF(at, y - (line - 2) / 2, wide, line - 2)});
                from = at + wide;
                flows = static_cast<std::ptrdiff_t>(step);
            }
            continue;
        }
        const double left = std::round((from + until - room) / 2);
        arrow(left);
        double place = y - fold_stack(steps, out.grow, sizes) / 2;
        for (std::size_t step = folds.groups[g].last + 1; step < next; ++step) {
            out.kept.push_back({step, QRectF(left, place, room, line - 2)});
            place += line;
        }
        from = left + room;
        flows = static_cast<std::ptrdiff_t>(next) - 1;
    }
    if (ends) arrow(out.folded_output.left());
    if (!wanted.own_colours || sizes.legend <= 0 || out.name <= 0 || out.folded.empty()) return;
    if (out.beside) { // over the arrow, the words under it
        out.folded_legend = QRectF(out.folded.back().words.left(), y - sizes.tall - 10, sizes.legend, sizes.tall + 2);
        if (out.folded_legend.right() > (ends ? out.folded_output.left() : area.right()) - 4 || out.folded_legend.top() < top) out.folded_legend = QRectF();
        return;
    }
    const QRectF legend(area.right() - sizes.legend, top + height + 4 + sizes.line, sizes.legend, sizes.tall + 2);
    QRectF& words = out.folded.back().words; // they give way to it
    const double half = std::min(words.width() / 2, legend.left() - 12 - words.center().x());
    if (half < 2 * sizes.line) return;
    out.folded_legend = legend;
    words = QRectF(words.center().x() - half, words.top(), 2 * half, words.height());
}

} // namespace gradus
