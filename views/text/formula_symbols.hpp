#pragma once

#include "views/text/formula.hpp"

#include <optional>
#include <string_view>

namespace gradus {

struct FormulaSymbol {
    char32_t character = 0;
    FormulaNode::Atom atom = FormulaNode::Atom::ordinary;
    FormulaNode::Letter letter = FormulaNode::Letter::upright;
};

/// What a command such as "alpha" or "leftarrow" stands for.
std::optional<FormulaSymbol> symbol_named(std::string_view command);
/// What a character typed in a formula stands for.
FormulaSymbol symbol_of(char32_t character);
/// True for exp, max and the like; `limits` says whether scripts may stand above and below it.
bool is_function(std::string_view command, bool& limits);
/// The space of a command in mu: "," is 3.
std::optional<double> space_named(std::string_view command);
/// The delimiter that a character or a command names: "(", "|", "langle"; 0 for none.
char32_t delimiter_named(std::string_view name);

} // namespace gradus
