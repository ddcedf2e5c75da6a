#include "views/text/formula_layout.hpp"

#include "views/text/formula_setter.hpp"

#include <algorithm>

namespace gradus {

namespace {

template <class T> std::vector<T> cut(const std::vector<T>& all, std::size_t from, std::size_t to) {
    return {all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(to)};
}

} // namespace

void FormulaLayout::add(const FormulaLayout& other, QPointF at) {
    for (FormulaGlyph glyph : other.glyphs) {
        glyph.base += at;
        glyphs.push_back(std::move(glyph));
    }
    for (FormulaRule rule : other.rules) {
        rule.rect.translate(at);
        rules.push_back(rule);
    }
    for (FormulaStroke stroke : other.strokes) {
        for (QPointF& point : stroke.points) point += at;
        strokes.push_back(std::move(stroke));
    }
    for (FormulaMark mark : other.marks) {
        mark.base += at;
        marks.push_back(mark);
    }
    ascent = std::max(ascent, other.ascent - at.y());
    descent = std::max(descent, other.descent + at.y());
    width = std::max(width, at.x() + other.width);
    has_live = has_live || other.has_live;
}

FormulaLayout FormulaLayout::slice(int from, int to) const {
    const auto count = static_cast<int>(breaks.size());
    const Break first = from < 0 ? Break{} : breaks[static_cast<std::size_t>(from)];
    const Break last = to < count ? breaks[static_cast<std::size_t>(to)]
                                  : Break{width, width, glyphs.size(), rules.size(), strokes.size(), marks.size()};
    FormulaLayout part;
    part.glyphs = cut(glyphs, first.glyphs, last.glyphs);
    part.rules = cut(rules, first.rules, last.rules);
    part.strokes = cut(strokes, first.strokes, last.strokes);
    part.marks = cut(marks, first.marks, last.marks);
    FormulaLayout moved;
    moved.add(part, {-first.start, 0});
    moved.width = last.end - first.start;
    moved.ascent = ascent;
    moved.descent = descent;
    moved.has_live = has_live;
    if (to >= count) moved.italic = italic;
    return moved;
}

int FormulaLayout::fill(int from, double line) const {
    constexpr double well = 0.4;
    using Grade = Break::Grade;
    const auto count = static_cast<int>(breaks.size());
    const double start = from < 0 ? 0 : breaks[static_cast<std::size_t>(from)].start;
    if (width - start <= line) return count;
    int last[3] = {-1, -1, -1}; // of each grade
    for (int next = from + 1; next < count && breaks[static_cast<std::size_t>(next)].end - start <= line; ++next)
        last[static_cast<int>(breaks[static_cast<std::size_t>(next)].grade)] = next;
    const auto filled = [&](Grade grade) {
        const int at = last[static_cast<int>(grade)];
        return at < 0 ? 0 : (breaks[static_cast<std::size_t>(at)].end - start) / line;
    };
    for (const Grade grade : {Grade::relation, Grade::binary})
        if (filled(grade) >= well) return last[static_cast<int>(grade)];
    const int outside = std::max(last[0], last[1]);
    return outside >= 0 ? outside : last[2] >= 0 ? last[2] : from + 1;
}

FormulaLayout lay_out(const Formula& formula, int pixels, bool display, const LiveNumbers& live) {
    const FormulaSetter setter(pixels, live);
    return setter.set(formula.root, {display, 0}, Role::metric);
}

} // namespace gradus
