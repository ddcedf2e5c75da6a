#pragma once

#include "views/text/formula_layout.hpp"

namespace gradus {

/// Sets the parts of a formula by TeX's rules (TeXbook, appendix G), with its constants rounded.
class FormulaSetter {
public:
    /// Display or in a line; how deep in scripts.
    struct Style {
        bool display = false;
        int level = 0; ///< 0 text, 1 script, 2 script of a script
        bool part = false; ///< of a fraction in a line: a script, but as large as the words beside it
        Style script() const { return {false, std::min(2, level + 1)}; }
        Style in_line() const { return {false, level, part}; }
        Style of_fraction() const { return display ? Style{false, 0} : Style{false, std::min(2, level + 1), level == 0}; }
    };

    FormulaSetter(int pixels, const LiveNumbers& live) : pixels_(pixels), live_(live) {}

    FormulaLayout set(const FormulaNode& node, Style style, Role role) const;

private:
    FormulaLayout set_row(const FormulaNode& row, Style style, Role role) const;
    FormulaLayout set_large(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_fraction(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_root(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_accent(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_scripts(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_limits(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_matrix(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_fenced(const FormulaNode& node, Style style, Role role) const;
    FormulaLayout set_delimiter(char32_t delimiter, double reach, Style style, Role role) const;
    FormulaLayout set_live(const FormulaNode& node, Style style) const;
    FormulaLayout set_text(const QString& text, MathFace face, Style style, Role role) const;
    FormulaLayout set_glyph(const QString& text, MathFace face, int pixels, Role role) const;

    int size(Style style) const;
    double axis(Style style) const;   ///< height of the minus sign, on which fractions and sums are centred
    double x_height(Style style) const;
    double rule(Style style) const;   ///< thickness of a fraction's bar

    int pixels_;
    const LiveNumbers& live_;
};

} // namespace gradus
