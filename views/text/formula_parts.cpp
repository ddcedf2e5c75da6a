#include "views/text/formula_setter.hpp"

#include <algorithm>
#include <array>

namespace gradus {

FormulaLayout FormulaSetter::set_fraction(const FormulaNode& node, Style style, Role role) const {
    const FormulaLayout above = set(node.parts[0], style.of_fraction(), role);
    const FormulaLayout below = set(node.parts[1], style.of_fraction(), role);
    const double em = size(style), bar = rule(style), middle = axis(style);
    const double gap = (style.display ? 0.2 : 0.13) * em;
    const double width = std::max(above.width + above.italic, below.width + below.italic) + 0.16 * em;
    const double side = 0.1 * em; // TeX's \nulldelimiterspace
    // Numerators of a line of fractions stand on one height as long as their parts are small.
    const double up = std::max((style.display ? 0.68 : 0.4) * em, middle + bar / 2 + gap + above.descent);
    const double down = std::max((style.display ? 0.69 : 0.36) * em, -middle + bar / 2 + gap + below.ascent);
    FormulaLayout box;
    box.add(above, {side + (width - above.width - above.italic) / 2, -up});
    box.add(below, {side + (width - below.width - below.italic) / 2, down});
    box.rules.push_back({QRectF(side, -middle - bar / 2, width, bar), role});
    box.width = width + 2 * side;
    return box;
}

FormulaLayout FormulaSetter::set_root(const FormulaNode& node, Style style, Role role) const {
    const FormulaLayout inside = set(node.parts[0], style, role);
    const double em = size(style), bar = rule(style), gap = 0.12 * em;
    const double top = -std::max(inside.ascent, x_height(style)) - gap - bar;
    const double foot = std::max(0.0, inside.descent) + 0.04 * em;
    const double reach = 0.5 * em; // width of the sign
    FormulaLayout box;
    box.add(inside, {reach + 0.1 * em, 0});
    const double knee = top + (foot - top) * 0.55;
    box.strokes.push_back({{{0.02 * em, knee + 0.07 * em}, {0.13 * em, knee}, {0.28 * em, foot}, {reach, top + bar / 2}},
                           std::max(1.0, bar), role});
    box.width = reach + 0.1 * em + inside.width + inside.italic + 0.08 * em;
    box.rules.push_back({QRectF(reach, top, box.width - reach - 0.02 * em, bar), role});
    box.ascent = std::max(box.ascent, -top);
    box.descent = std::max(box.descent, foot);
    return box;
}

FormulaLayout FormulaSetter::set_accent(const FormulaNode& node, Style style, Role role) const {
    const FormulaLayout base = set(node.parts[0], style, role);
    const double em = size(style);
    FormulaLayout box;
    box.add(base, {0, 0});
    box.italic = base.italic;
    const bool leaning = base.glyphs.size() == 1 && (base.glyphs[0].face == MathFace::italic ||
                                                     base.glyphs[0].face == MathFace::bold_italic);
    const double lean = leaning ? 0.13 * base.ascent : 0; // how far the top of a leaning letter is off its middle
    const double centre = (leaning ? math_glyph(base.glyphs[0].face, base.glyphs[0].pixels, base.glyphs[0].text).ink.center().x()
                                   : base.width / 2) + lean;
    const double foot = std::max(base.ascent, x_height(style)) + 0.09 * em;
    if (node.text == U"-") {
        const double bar = rule(style), width = std::max(0.4 * em, base.width - 0.1 * em);
        box.rules.push_back({QRectF(centre - width / 2, -foot - bar, width, bar), role});
        box.ascent = foot + bar;
        return box;
    }
    const QString sign = node.text == U"^" ? QStringLiteral("ˆ") : node.text == U"~" ? QStringLiteral("˜") : QStringLiteral("˙");
    const MathGlyph ink = math_glyph(MathFace::upright, size(style), sign);
    const FormulaLayout mark = set_glyph(sign, MathFace::upright, size(style), role);
    const double width = box.width;
    box.add(mark, {centre - ink.ink.center().x(), -foot - ink.ink.bottom()});
    box.width = width;
    return box;
}

FormulaLayout FormulaSetter::set_scripts(const FormulaNode& node, Style style, Role role) const {
    const FormulaNode* core = &node.parts[0];
    while (core->kind == FormulaNode::Kind::meaning) core = &core->parts[0];
    if (core->limits && style.display) return set_limits(node, style, role);
    const FormulaLayout base = set(node.parts[0], style, role);
    const bool has_below = !node.parts[1].parts.empty(), has_above = !node.parts[2].parts.empty();
    const FormulaLayout below = set(node.parts[1], style.script(), role);
    // A prime is cut raised and small: it stands on the baseline.
    const std::vector<FormulaNode>& raised = node.parts[2].parts;
    const bool primes = has_above && std::all_of(raised.begin(), raised.end(), [](const FormulaNode& part) { return part.text == U"′"; });
    const FormulaLayout above = set(node.parts[2], primes ? style : style.script(), role);
    const double em = size(style), small = size(style.script());
    const bool one_letter = base.glyphs.size() == 1 && base.rules.empty() && core->kind == FormulaNode::Kind::symbol;
    double up = 0, down = 0;
    if (has_above && !primes) {
        up = std::max({(style.display ? 0.41 : 0.36) * em, one_letter ? 0 : base.ascent - 0.39 * small,
                       above.descent + x_height(style) / 4});
    }
    if (has_below) {
        down = std::max({(has_above ? 0.25 : 0.16) * em, one_letter ? 0 : base.descent + 0.05 * small,
                         below.ascent - 0.8 * x_height(style)});
    }
    if (has_above && has_below) { // the two never touch
        const double gap = (up - above.descent) - (below.ascent - down), least = 4 * std::max(1.0, 0.05 * em);
        if (gap < least) down += least - gap;
    }
    FormulaLayout box;
    box.add(base, {0, 0});
    const double gap = 0.04 * em;
    if (has_above) box.add(above, {base.width + base.italic + gap, -up});
    if (has_below) box.add(below, {base.width + gap, down});
    const double right = std::max(has_above ? base.width + base.italic + above.width + above.italic : 0,
                                  has_below ? base.width + below.width + below.italic : base.width + base.italic);
    box.width = right + gap + 0.03 * em;
    return box;
}

FormulaLayout FormulaSetter::set_limits(const FormulaNode& node, Style style, Role role) const {
    const FormulaLayout base = set(node.parts[0], style, role);
    const FormulaLayout below = set(node.parts[1], style.script(), role);
    const FormulaLayout above = set(node.parts[2], style.script(), role);
    const double em = size(style), width = std::max({base.width, below.width, above.width});
    FormulaLayout box;
    box.add(base, {(width - base.width) / 2, 0});
    if (!node.parts[2].parts.empty())
        box.add(above, {(width - above.width) / 2,
                        -base.ascent - std::max(0.11 * em, 0.2 * em - above.descent) - above.descent});
    if (!node.parts[1].parts.empty())
        box.add(below, {(width - below.width) / 2,
                        base.descent + std::max(0.17 * em, 0.6 * em - below.ascent) + below.ascent});
    box.width = width;
    return box;
}

FormulaLayout FormulaSetter::set_matrix(const FormulaNode& node, Style style, Role role) const {
    const auto columns = static_cast<std::size_t>(std::max(1, node.columns));
    const std::size_t rows = node.parts.size() / columns;
    const double em = size(style);
    std::vector<FormulaLayout> cells;
    std::vector<double> widths(columns, 0), up(rows, 0.7 * 1.15 * em), down(rows, 0.3 * 1.15 * em);
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        cells.push_back(set(node.parts[i], style.in_line(), role));
        widths[i % columns] = std::max(widths[i % columns], cells[i].width + cells[i].italic);
        up[i / columns] = std::max(up[i / columns], cells[i].ascent + 0.1 * em);
        down[i / columns] = std::max(down[i / columns], cells[i].descent + 0.1 * em);
    }
    double height = 0;
    for (std::size_t r = 0; r < rows; ++r) height += up[r] + down[r];
    double y = -axis(style) - height / 2;
    FormulaLayout box;
    for (std::size_t r = 0; r < rows; ++r) {
        y += up[r];
        double x = 0.1 * em;
        for (std::size_t c = 0; c < columns; ++c) {
            const FormulaLayout& cell = cells[r * columns + c];
            box.add(cell, {x + (widths[c] - cell.width - cell.italic) / 2, y});
            x += widths[c] + (c + 1 < columns ? 0.9 * em : 0);
        }
        box.width = std::max(box.width, x + 0.1 * em);
        y += down[r];
    }
    return box;
}

FormulaLayout FormulaSetter::set_fenced(const FormulaNode& node, Style style, Role role) const {
    const FormulaLayout inside = set(node.parts[0], style, role);
    const double middle = axis(style), em = size(style);
    const double reach = std::max(inside.ascent - middle, inside.descent + middle); // from the axis, both ways
    const FormulaLayout left = set_delimiter(node.text[0], reach, style, role);
    const FormulaLayout right = set_delimiter(node.text[1], reach, style, role);
    FormulaLayout box;
    const double gap = 0.04 * em;
    box.add(left, {0, 0});
    box.add(inside, {left.width + gap, 0});
    const double end = left.width + 2 * gap + inside.width + inside.italic;
    box.add(right, {end, 0});
    box.width = end + right.width;
    return box;
}

FormulaLayout FormulaSetter::set_delimiter(char32_t delimiter, double reach, Style style, Role role) const {
    FormulaLayout box;
    const double em = size(style);
    if (delimiter == U'.') {
        box.width = 0.1 * em;
        return box;
    }
    const QString text = QString::fromUcs4(&delimiter, 1);
    const double need = std::max(1.8 * reach, 2 * reach - 0.35 * em); // TeX lets a fence be a little short
    static constexpr std::array faces{MathFace::upright, MathFace::size1, MathFace::size2, MathFace::size3, MathFace::size4};
    const bool has_cuts = has_face(MathFace::size1) && delimiter != U'|' && delimiter != U'‖';
    MathFace face = MathFace::upright;
    for (const MathFace larger : faces) {
        if (larger != MathFace::upright && !has_cuts) break;
        face = larger;
        if (math_glyph(face, size(style), text).ink.height() >= need) break;
    }
    const MathGlyph glyph = math_glyph(face, size(style), text);
    const double stretch = std::max(1.0, need / std::max(1.0, glyph.ink.height()));
    const double drop = -axis(style) - glyph.ink.center().y() * stretch; // its middle comes to the axis
    box.glyphs.push_back({{0, drop}, text, face, size(style), stretch, role});
    box.width = glyph.advance;
    box.ascent = -(glyph.ink.top() * stretch + drop);
    box.descent = glyph.ink.bottom() * stretch + drop;
    return box;
}

} // namespace gradus
