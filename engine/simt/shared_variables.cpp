#include "engine/simt/shared_variables.hpp"

#include "engine/simt/variable_types.hpp"

#include <algorithm>
#include <dwarf.h>

namespace gradus::simt {

namespace {

/// Where a variable lies in shared memory, which is thread-local to the compiler.
std::optional<std::uint64_t> place_in_shared(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(dwarf_attr_integrate(die, DW_AT_location, &attribute), &operations, &count) != 0 || count != 2) return std::nullopt;
    if (operations[1].atom != DW_OP_GNU_push_tls_address && operations[1].atom != DW_OP_form_tls_address) return std::nullopt;
    return operations[0].number;
}

/// Of the numbers that one element holds: the kind of them all, where it is one, and they fill it.
ValueKind kind_of(const Dwarf_Die& element, std::uint64_t bytes) {
    std::vector<LocalVariable::Part> parts;
    add_parts(element, "", 0, parts);
    if (parts.empty() || parts.size() > most_parts) return ValueKind::bits;
    std::uint64_t filled = 0;
    for (const LocalVariable::Part& part : parts) {
        if (part.kind != parts.front().kind) return ValueKind::bits;
        filled += part.bytes;
    }
    return filled == bytes ? parts.front().kind : ValueKind::bits;
}

void describe(Dwarf_Die* die, NamedVariable& variable) {
    variable.line = static_cast<int>(number_of(die, DW_AT_decl_line).value_or(0));
    Dwarf_Die type;
    if (!type_of(die, &type) || !peel(&type)) return;
    Dwarf_Die element = type;
    if (dwarf_tag(&type) == DW_TAG_array_type) {
        variable.sizes = sizes_of(&type);
        if (!type_of(&type, &element)) return;
    }
    Dwarf_Word bytes = 0;
    if (peel(&element) && dwarf_aggregate_size(&element, &bytes) == 0) variable.kind = kind_of(element, bytes);
}

void visit(Dwarf_Die* scope, std::vector<NamedVariable>& shared) {
    inside(scope, [&](Dwarf_Die* die) {
        switch (dwarf_tag(die)) {
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine: return visit(die, shared);
        case DW_TAG_variable: break;
        default: return;
        }
        const auto at = place_in_shared(die);
        const std::string name = at ? std::string() : text_of(die, DW_AT_name); // what the launch gives is declared only: extern __shared__ float s[]
        const auto variable = std::find_if(shared.begin(), shared.end(), [&](const NamedVariable& each) { return at ? each.offset == *at : each.bytes == 0 && each.name == name; });
        if (variable != shared.end()) describe(die, *variable);
    });
}

} // namespace

void describe_shared(Dwarf* dwarf, std::vector<NamedVariable>& shared) {
    if (shared.empty()) return;
    std::size_t header = 0;
    for (Dwarf_Off at = 0, next = 0; dwarf_nextcu(dwarf, at, &next, &header, nullptr, nullptr, nullptr) == 0; at = next) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, at + header, &unit)) visit(&unit, shared);
    }
}

} // namespace gradus::simt
