// What debug information says of types.
#include "engine/simt/variable_types.hpp"

#include <algorithm>
#include <dwarf.h>
#include <fmt/format.h>

namespace gradus::simt {

std::string text_of(Dwarf_Die* die, unsigned what) {
    Dwarf_Attribute attribute;
    const char* text = dwarf_formstring(dwarf_attr_integrate(die, what, &attribute));
    return text ? text : "";
}

std::optional<std::uint64_t> number_of(Dwarf_Die* die, unsigned what) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr_integrate(die, what, &attribute), &value) != 0) return std::nullopt;
    return value;
}

bool type_of(Dwarf_Die* die, Dwarf_Die* type) {
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != nullptr;
}

std::vector<std::uint32_t> sizes_of(Dwarf_Die* array) {
    std::vector<std::uint32_t> out;
    inside(array, [&](Dwarf_Die* range) {
        if (dwarf_tag(range) != DW_TAG_subrange_type) return;
        const auto count = number_of(range, DW_AT_count), last = number_of(range, DW_AT_upper_bound);
        out.push_back(static_cast<std::uint32_t>(count ? *count : last ? *last + 1 : 0));
    });
    return out;
}

std::string type_name(Dwarf_Die* type, int depth) {
    if (depth > 16) return "…";
    Dwarf_Die inner;
    const bool has = type_of(type, &inner);
    const auto of_inner = [&] { return has ? type_name(&inner, depth + 1) : std::string("void"); };
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type: return of_inner() + "*";
    case DW_TAG_reference_type: return of_inner() + "&";
    case DW_TAG_rvalue_reference_type: return of_inner() + "&&";
    case DW_TAG_const_type: {
        const std::string name = of_inner();
        return name.ends_with('*') ? name + " const" : "const " + name;
    }
    case DW_TAG_volatile_type: return "volatile " + of_inner();
    case DW_TAG_restrict_type: return of_inner();
    case DW_TAG_array_type: {
        std::string sizes;
        for (const std::uint32_t size : sizes_of(type)) sizes += fmt::format("[{}]", size);
        return of_inner() + " " + sizes;
    }
    default: {
        const std::string name = text_of(type, DW_AT_name);
        if (!name.empty()) return name;
        return dwarf_tag(type) == DW_TAG_class_type || dwarf_tag(type) == DW_TAG_structure_type ? "struct" : "?";
    }
    }
}

bool peel(Dwarf_Die* type) {
    for (int i = 0; i < 32; ++i) {
        const int tag = dwarf_tag(type);
        if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
            tag != DW_TAG_restrict_type)
            return true;
        Dwarf_Die inner;
        if (!type_of(type, &inner)) return false;
        *type = inner;
    }
    return false;
}

namespace {

ValueKind kind_of_base(std::uint64_t encoding, std::uint64_t bytes) {
    const int power = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : -1;
    if (power < 0) return ValueKind::bits;
    const auto from = [&](ValueKind first) { return static_cast<ValueKind>(static_cast<int>(first) + power); };
    switch (encoding) {
    case DW_ATE_float: return power == 2 ? ValueKind::f32 : power == 3 ? ValueKind::f64 : ValueKind::bits;
    case DW_ATE_boolean: return power == 0 ? ValueKind::boolean : ValueKind::bits;
    case DW_ATE_signed:
    case DW_ATE_signed_char: return from(ValueKind::i8);
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return from(ValueKind::u8);
    default: return ValueKind::bits;
    }
}

} // namespace

void add_parts(Dwarf_Die type, const std::string& name, std::uint32_t offset, std::vector<LocalVariable::Part>& parts,
               int depth) {
    const std::uint32_t bytes = static_cast<std::uint32_t>(peel(&type) ? std::max(0, dwarf_bytesize(&type)) : 0);
    const auto whole = [&](ValueKind kind) { parts.push_back({name, kind, offset, bytes}); };
    if (parts.size() > most_parts || depth > 16) return;
    switch (dwarf_tag(&type)) {
    case DW_TAG_base_type: return whole(kind_of_base(number_of(&type, DW_AT_encoding).value_or(0), bytes));
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return whole(bytes == 8 ? ValueKind::pointer : ValueKind::bits);
    case DW_TAG_enumeration_type:
        return whole(kind_of_base(number_of(&type, DW_AT_encoding).value_or(DW_ATE_signed), bytes));
    case DW_TAG_array_type: {
        Dwarf_Die element;
        std::uint64_t count = 1;
        for (const std::uint32_t size : sizes_of(&type)) count *= size;
        if (!type_of(&type, &element) || !count || count > most_parts) break;
        Dwarf_Word whole_bytes = 0;
        if (dwarf_aggregate_size(&type, &whole_bytes) != 0 || !whole_bytes) break;
        for (std::uint64_t i = 0; i < count; ++i)
            add_parts(element, fmt::format("{}[{}]", name, i),
                      offset + static_cast<std::uint32_t>(i * (whole_bytes / count)), parts, depth + 1);
        return;
    }
    case DW_TAG_structure_type:
    case DW_TAG_class_type: {
        const std::string own = text_of(&type, DW_AT_name);
        if (own == "__half") return whole(ValueKind::f16);
        if (own == "__nv_bfloat16") return whole(ValueKind::bf16);
        inside(&type, [&](Dwarf_Die* member) {
            const int tag = dwarf_tag(member);
            Dwarf_Die of;
            const auto at = number_of(member, DW_AT_data_member_location);
            if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !at || !type_of(member, &of)) return;
            add_parts(of, tag == DW_TAG_member ? name + "." + text_of(member, DW_AT_name) : name,
                      offset + static_cast<std::uint32_t>(*at), parts, depth + 1);
        });
        return;
    }
    default: break;
    }
    if (bytes) whole(ValueKind::bits);
}

} // namespace gradus::simt
