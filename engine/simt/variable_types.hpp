#pragma once

#include "engine/trace/kernel/local_variable.hpp"

#include <elfutils/libdw.h>
#include <optional>

namespace gradus::simt {

// Debug information, as far as variables need it.
std::string text_of(Dwarf_Die* die, unsigned what);
std::optional<std::uint64_t> number_of(Dwarf_Die* die, unsigned what);
bool type_of(Dwarf_Die* die, Dwarf_Die* type);

/// Calls `each` for the things that lie in this one.
template <class Each> void inside(Dwarf_Die* die, Each each) {
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0) return;
    do each(&child);
    while (dwarf_siblingof(&child, &child) == 0);
}

/// Takes names and const off: false where what is left is no type.
bool peel(Dwarf_Die* type);
/// As C++ writes it: "const float*", "float [8][8]".
std::string type_name(Dwarf_Die* type, int depth = 0);
std::vector<std::uint32_t> sizes_of(Dwarf_Die* array);

constexpr std::size_t most_parts = 64; // of a struct that is taken apart; a larger one is shown as its bytes
/// Takes a type apart into its scalars; one part more than the most where there are too many.
void add_parts(Dwarf_Die type, const std::string& name, std::uint32_t offset, std::vector<LocalVariable::Part>& parts,
               int depth = 0);

} // namespace gradus::simt
