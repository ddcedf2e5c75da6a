#include "views/folds/fold_geometry.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

constexpr double gap = 12, bracket_height = 5, bracket_gap = 4; // pixels
constexpr double most_grow = 2;

/// A matrix with what follows it up to the next one.
struct Unit {
    std::size_t matrix = 0;
    std::vector<std::size_t> after;
};

std::vector<Unit> units_of(const std::vector<ChainStep>& chain) {
    std::vector<Unit> out;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (chain[i].kind == ChainStep::Kind::matrix) out.push_back({i, {}});
        else if (!out.empty()) out.back().after.push_back(i);
    }
    return out;
}

void add_brackets(FoldGeometry& out, const LegalFolds& folds, const std::vector<double>& room) {
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
            const double beside = room[row] / 2;
            out.brackets.back().label = QRectF(part.left - beside, part.bottom + 2, part.right - part.left + 2 * beside, out.bands[row].bottom() - part.bottom - 2);
        }
        std::size_t widest = first;
        for (std::size_t i = first; i < out.brackets.size(); ++i)
            if (out.brackets[i].right - out.brackets[i].left > out.brackets[widest].right - out.brackets[widest].left) widest = i;
        for (std::size_t i = first; i < out.brackets.size(); ++i)
            if (i != widest) out.brackets[i].label = QRectF();
    }
}

} // namespace

const FoldGeometry::Place* FoldGeometry::at(QPointF point) const {
    for (const auto* list : {&boxes, &words})
        for (const Place& place : *list)
            if (place.rect.contains(point)) return &place;
    return nullptr;
}

FoldGeometry lay_out_folds(const std::vector<ChainStep>& chain, const LegalFolds* folds, const QRectF& area, const FoldSizes& sizes) {
    FoldGeometry out;
    const std::vector<Unit> units = units_of(chain);
    const double head = sizes.tall + 10;
    if (area.height() < head || area.width() < sizes.button) return out;
    out.button = QRectF(area.left(), area.top(), sizes.button, head);
    out.count = QRectF(out.button.right() + gap, area.top(), std::max(0.0, area.right() - out.button.right() - gap), head);
    if (units.empty()) return out;

    const auto count = static_cast<double>(units.size());
    double box_height = std::max(1, sizes.words) * sizes.line + 10;
    const double fit = std::max(1.0, std::floor((area.width() + sizes.between) / (sizes.box + sizes.between)));
    const double rows = std::ceil(count / fit), per_row = std::ceil(count / rows);
    const double sentence = 2 * sizes.tall + gap, left_over = area.height() - head - gap;
    double room = left_over - sentence;
    const auto band = [&](int lines) { return bracket_gap + bracket_height + 2 + lines * sizes.line; };
    double row_gap = gap;
    const auto needed = [&](int lines) { return rows * (box_height + band(lines)) + (rows - 1) * row_gap; };
    const bool says = needed(2) <= room;
    if (!says) {
        room = left_over;
        row_gap = needed(2) <= room ? gap : gap / 4; // what a bracket says is worth more than the distance of two rows
    }
    while (out.label_lines > 0 && needed(out.label_lines) > room) --out.label_lines;
    if (needed(out.label_lines) > room || area.width() < sizes.box) return out;

    // What is left over is given to the boxes first, then to the gaps, as far as it reads as one row, and stays around it.
    const double block_of_one = needed(out.label_lines) + (says ? sentence : 0);
    out.grow = std::clamp(std::min(area.width() / (per_row * (sizes.box + sizes.between)), 1 + (left_over - block_of_one) / (rows * box_height)), 1.0, most_grow);
    box_height = std::floor(box_height * out.grow);
    const double box_width = std::floor(sizes.box * out.grow), least = std::floor(sizes.between * out.grow), line = std::floor(sizes.line * out.grow);
    const double between = least + std::clamp((area.width() - per_row * box_width - (per_row - 1) * least) / per_row, 0.0, 2 * line);
    const double wide = per_row * box_width + (per_row - 1) * between;
    const double left = area.left() + std::max(0.0, (area.width() - wide) / 2);
    const double block = needed(out.label_lines) + (says ? sentence : 0);
    double top = area.top() + head + gap + std::max(0.0, (left_over - block) / 2);
    std::vector<double> beside;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const auto column = static_cast<double>(i % static_cast<std::size_t>(per_row));
        if (i > 0 && column == 0) top += box_height + band(out.label_lines) + row_gap;
        if (column == 0) {
            out.bands.push_back(QRectF(area.left(), top + box_height, area.width(), band(out.label_lines)));
            beside.push_back(between);
        }
        const QRectF box(left + column * (box_width + between), top, box_width, box_height);
        out.boxes.push_back({units[i].matrix, box});
        const auto words = static_cast<double>(units[i].after.size());
        double y = box.center().y() - words * line / 2;
        for (const std::size_t step : units[i].after) {
            // Behind the last of a full row there is only what the margin leaves.
            out.words.push_back({step, QRectF(box.right(), y, std::min(between, std::max(least, area.right() - box.right())), line)});
            y += line;
        }
    }
    if (says) out.sentence = QRectF(area.left(), out.bands.back().bottom() + gap, area.width(), 2 * sizes.tall);
    if (folds) add_brackets(out, *folds, beside);
    return out;
}

} // namespace gradus
