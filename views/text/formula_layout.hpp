#pragma once

#include "views/text/formula.hpp"
#include "views/text/live_number.hpp"
#include "views/text/math_font.hpp"

#include <QPointF>
#include <vector>

namespace gradus {

/// One sign, or a word or number, at its place.
struct FormulaGlyph {
    QPointF base; ///< on the baseline, from the formula's origin
    QString text;
    MathFace face = MathFace::upright;
    int pixels = 0;
    double stretch = 1; ///< of its height, around the baseline
    Role role = Role::metric;
};
/// A filled bar: of a fraction, an overline, a root.
struct FormulaRule {
    QRectF rect;
    Role role = Role::metric;
};
/// The sign of a root: four points.
struct FormulaStroke {
    std::vector<QPointF> points;
    double width = 1;
    Role role = Role::metric;
};
/// The mark of a live number's provenance.
struct FormulaMark {
    QPointF base;
    double height = 0;
    Provenance provenance = Provenance::computed;
};

/// A formula with every sign in its place. The origin is the left end of its baseline, y grows downwards.
struct FormulaLayout {
    /// A place at the top level where a line may end: before a relation or a binary operator.
    struct Break {
        double end = 0, start = 0; ///< what is before it ends there, what is after it starts there
        std::size_t glyphs = 0, rules = 0, strokes = 0, marks = 0; ///< how many are before it
        enum class Grade : std::uint8_t { relation, binary, inside } grade = Grade::relation; ///< inside: between brackets
    };

    double width = 0, ascent = 0, descent = 0;
    double italic = 0; ///< by how much a leaning last sign reaches over the width
    std::vector<FormulaGlyph> glyphs;
    std::vector<FormulaRule> rules;
    std::vector<FormulaStroke> strokes;
    std::vector<FormulaMark> marks;
    std::vector<Break> breaks;
    bool has_live = false;

    /// Puts another one beside or above, its origin at `at`.
    void add(const FormulaLayout& other, QPointF at);
    /// What stands from one break (the start, if -1) to another (the end, if past the last).
    FormulaLayout slice(int from, int to) const;
    /// The break that ends a line so wide that begins at `from`: the last that fits, before a relation if that fills the
    /// line well, else before an operator, and between brackets only where nothing else is left. One further at least.
    int fill(int from, double line) const;
};

/// Lays out a formula for text of that size. Scripts are never smaller than 11 px. `display` gives fractions and
/// sums the room of a line of their own.
FormulaLayout lay_out(const Formula& formula, int pixels, bool display, const LiveNumbers& live = {});

} // namespace gradus
