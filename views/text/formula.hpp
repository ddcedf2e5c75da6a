#pragma once

#include "engine/autograd/tape.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// One part of a formula. What `parts` holds follows from the kind; an empty row stands for what is left out.
struct FormulaNode {
    enum class Kind : std::uint8_t {
        row,      ///< parts side by side
        symbol,   ///< one character: `text`
        large,    ///< ∑ or ∏: `text`
        function, ///< exp, max, arg …: `text`
        words,    ///< \text{…}: `text`
        fraction, ///< numerator, denominator
        root,     ///< what stands under it
        accent,   ///< what stands under `text`: ^ ~ . or -
        scripts,  ///< base, subscript, superscript
        matrix,   ///< cells, row by row, in `columns`
        fenced,   ///< one part between the two characters of `text`; '.' is none
        space,    ///< `amount` of it
        live,     ///< a live number: its name is `text`
        meaning   ///< one part in the hue of `role`
    };
    /// TeX's classes, which decide the space between neighbours (TeXbook, chapter 18).
    enum class Atom : std::uint8_t { ordinary, large, binary, relation, opening, closing, punctuation, inner };
    enum class Letter : std::uint8_t { italic, upright, bold, bold_italic };

    Kind kind = Kind::row;
    Atom atom = Atom::ordinary;
    Letter letter = Letter::upright;
    Role role = Role::metric;
    bool limits = false;  ///< of large and function: scripts stand above and below it on a line of its own
    int columns = 0;
    double amount = 0;    ///< in mu, 1/18 em
    std::u32string text;
    std::vector<FormulaNode> parts;
};

/// A formula as it was read, or why it could not be.
struct Formula {
    FormulaNode root;  ///< a row
    std::string error; ///< one sentence that names the position: "at character 7: \frac needs two arguments"
    bool ok() const { return error.empty(); }
};

/// Reads a small part of TeX. Positions count characters from 1. Never throws.
/// Beyond TeX: \live{NAME} is a number that is given at layout, \data{…} \grad{…} \param{…} \state{…} give what is in
/// them the hue of that meaning.
Formula parse_formula(std::string_view tex);

/// The tree in one line, for tests and messages: "(frac a (scripts b 1 -))".
std::string outline(const FormulaNode& node);

std::string to_utf8(std::u32string_view text);

} // namespace gradus
