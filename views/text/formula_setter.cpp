#include "views/text/formula_setter.hpp"

#include "views/theme/provenance_mark.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

using Kind = FormulaNode::Kind;
using Atom = FormulaNode::Atom;

constexpr int smallest = 11; // pixels; nothing on screen is smaller

QString text_of(const FormulaNode& node) {
    return QString::fromUcs4(node.text.data(), static_cast<qsizetype>(node.text.size()));
}

MathFace face_of(FormulaNode::Letter letter) {
    switch (letter) {
    case FormulaNode::Letter::italic: return MathFace::italic;
    case FormulaNode::Letter::upright: return MathFace::upright;
    case FormulaNode::Letter::bold: return MathFace::bold;
    case FormulaNode::Letter::bold_italic: return MathFace::bold_italic;
    }
    return MathFace::upright;
}

/// The class of a part seen from its neighbours: colour changes nothing, braces make it ordinary.
Atom atom_of(const FormulaNode& node) {
    if (node.kind == Kind::meaning) {
        const FormulaNode& part = node.parts[0];
        return part.kind == Kind::row && part.parts.size() == 1 ? atom_of(part.parts[0]) : atom_of(part);
    }
    if (node.kind == Kind::scripts) return atom_of(node.parts[0]);
    return node.atom;
}

/// Space between neighbours in mu; what is negative vanishes in scripts. TeXbook, p. 170.
double between(Atom left, Atom right, bool script) {
    static constexpr int table[8][8] = {
        //      ord large bin rel open close punct inner
        /*ord*/ {0, 3, -4, -5, 0, 0, 0, -3},    /*large*/ {3, 3, 0, -5, 0, 0, 0, -3},
        /*bin*/ {-4, -4, 0, 0, -4, 0, 0, -4},   /*rel*/ {-5, -5, 0, 0, -5, 0, 0, -5},
        /*open*/ {0, 0, 0, 0, 0, 0, 0, 0},      /*close*/ {0, 3, -4, -5, 0, 0, 0, -3},
        /*punct*/ {-3, -3, 0, -3, -3, -3, -3, -3}, /*inner*/ {-3, 3, -4, -5, -3, 0, -3, -3}};
    const int mu = table[static_cast<int>(left)][static_cast<int>(right)];
    return mu >= 0 ? mu : script ? 0 : -mu;
}

/// A sign between nothing is no operator: the minus of −1, the plus after "=".
std::vector<Atom> atoms_of(const FormulaNode& row) {
    std::vector<Atom> atoms;
    Atom before = Atom::opening;
    std::size_t last = row.parts.size(); // index of `before`
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        Atom atom = atom_of(row.parts[i]);
        if (row.parts[i].kind != Kind::space) {
            const bool alone = before != Atom::ordinary && before != Atom::closing && before != Atom::inner;
            if (atom == Atom::binary && alone) atom = Atom::ordinary;
            const bool ends = atom == Atom::relation || atom == Atom::closing || atom == Atom::punctuation;
            if (ends && before == Atom::binary) atoms[last] = Atom::ordinary;
            before = atom;
            last = i;
        }
        atoms.push_back(atom);
    }
    if (before == Atom::binary) atoms[last] = Atom::ordinary;
    return atoms;
}

} // namespace

int FormulaSetter::size(Style style) const {
    static constexpr double shrink[] = {1, 0.72, 0.56}, of_fraction = 0.85; // TeX's 0.72 is for paper: digits of 8 pixels
    return std::max({smallest, static_cast<int>(std::lround(pixels_ * (style.part ? of_fraction : shrink[style.level])))});
}

double FormulaSetter::axis(Style style) const {
    return -math_glyph(MathFace::upright, size(style), QStringLiteral("−")).ink.center().y();
}

double FormulaSetter::x_height(Style style) const {
    return -math_glyph(MathFace::upright, size(style), QStringLiteral("x")).ink.top();
}

double FormulaSetter::rule(Style style) const { return std::max(1.0, std::round(size(style) * 0.06)); }

FormulaLayout FormulaSetter::set_glyph(const QString& text, MathFace face, int pixels, Role role) const {
    const MathGlyph glyph = math_glyph(face, pixels, text);
    FormulaLayout box;
    box.width = glyph.advance;
    box.ascent = -glyph.ink.top();
    box.descent = glyph.ink.bottom();
    box.italic = std::max(0.0, glyph.ink.right() - glyph.advance);
    box.glyphs.push_back({{0, 0}, text, face, pixels, 1, role});
    return box;
}

FormulaLayout FormulaSetter::set_text(const QString& text, MathFace face, Style style, Role role) const {
    if (text.isEmpty()) return {};
    return set_glyph(text, face, size(style), role);
}

FormulaLayout FormulaSetter::set(const FormulaNode& node, Style style, Role role) const {
    switch (node.kind) {
    case Kind::row: return set_row(node, style, role);
    case Kind::symbol: return set_text(text_of(node), face_of(node.letter), style, role);
    case Kind::large: return set_large(node, style, role);
    case Kind::function:
    case Kind::words: return set_text(text_of(node), MathFace::upright, style, role);
    case Kind::fraction: return set_fraction(node, style, role);
    case Kind::root: return set_root(node, style, role);
    case Kind::accent: return set_accent(node, style, role);
    case Kind::scripts: return set_scripts(node, style, role);
    case Kind::matrix: return set_matrix(node, style, role);
    case Kind::fenced: return set_fenced(node, style, role);
    case Kind::live: return set_live(node, style);
    case Kind::meaning: return set(node.parts[0], style, node.role);
    case Kind::space: {
        FormulaLayout box;
        box.width = node.amount / 18 * size(style);
        return box;
    }
    }
    return {};
}

FormulaLayout FormulaSetter::set_row(const FormulaNode& row, Style style, Role role) const {
    using Grade = FormulaLayout::Break::Grade;
    const std::vector<Atom> atoms = atoms_of(row);
    FormulaLayout line;
    double x = 0;
    int depth = 0; // of brackets
    bool first = true;
    Atom before = Atom::ordinary;
    for (std::size_t i = 0; i < row.parts.size(); ++i) {
        const FormulaNode& part = row.parts[i];
        const double end = x;
        const FormulaLayout box = set(part, style, role);
        const bool is_space = part.kind == Kind::space;
        if (!first && !is_space) x += between(before, atoms[i], style.level > 0) / 18 * size(style);
        const bool may_break = atoms[i] == Atom::relation || atoms[i] == Atom::binary;
        if (may_break && !first)
            line.breaks.push_back({end, x, line.glyphs.size(), line.rules.size(), line.strokes.size(), line.marks.size(),
                                   depth > 0 ? Grade::inside : atoms[i] == Atom::relation ? Grade::relation : Grade::binary});
        if (atoms[i] == Atom::opening) ++depth;
        if (atoms[i] == Atom::closing) --depth;
        line.add(box, {x, 0});
        x += box.width;
        // A leaning sign keeps off what follows it; at the end its reach is left to who comes next.
        line.italic = box.italic;
        if (i + 1 < row.parts.size()) x += box.italic;
        if (is_space) continue;
        before = atoms[i];
        first = false;
    }
    line.width = x;
    return line;
}

FormulaLayout FormulaSetter::set_large(const FormulaNode& node, Style style, Role role) const {
    const bool larger = style.display;
    const bool cut = larger && has_face(MathFace::size1);
    const int pixels = larger && !cut ? static_cast<int>(size(style) * 1.4) : size(style);
    const FormulaLayout sign = set_glyph(text_of(node), cut ? MathFace::size1 : MathFace::upright, pixels, role);
    FormulaLayout box;
    const double middle = (sign.ascent - sign.descent) / 2;
    box.add(sign, {0, middle - axis(style)});
    return box;
}

FormulaLayout FormulaSetter::set_live(const FormulaNode& node, Style style) const {
    const auto number = live_ ? live_(text_of(node)) : std::nullopt;
    const int pixels = std::max(smallest, static_cast<int>(std::lround(size(style) * 0.82)));
    const FormulaLayout text = set_glyph(number ? number->text : nothing_yet, MathFace::number, pixels, Role::metric);
    FormulaLayout box;
    const double capitals = QFontMetricsF(math_font(MathFace::number, pixels)).capHeight();
    const Provenance provenance = number ? number->provenance : Provenance::computed;
    const double mark = provenance_width(provenance, capitals);
    if (mark > 0) box.marks.push_back({{0, 0}, capitals, provenance});
    box.add(text, {mark, 0});
    box.has_live = true;
    return box;
}

} // namespace gradus
