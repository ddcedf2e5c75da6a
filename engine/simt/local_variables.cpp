#include "engine/simt/local_variables.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/variable_types.hpp"

#include <dwarf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace gradus::simt {

struct LocalVariables::Reader {
    int file = -1;
    Dwarf* dwarf = nullptr;
    struct Function {
        std::uint64_t begin = 0, end = 0;
        Dwarf_Off die = 0;
    };
    std::vector<Function> functions;
    ~Reader() {
        if (dwarf) dwarf_end(dwarf);
        if (file >= 0) close(file);
    }
};

namespace {

bool is_set(Dwarf_Die* die, unsigned what) {
    Dwarf_Attribute attribute;
    bool value = false;
    return dwarf_formflag(dwarf_attr_integrate(die, what, &attribute), &value) == 0 && value;
}

/// Where in its function's frame it lies.
std::optional<std::int64_t> place_in_frame(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    std::size_t count = 0;
    if (dwarf_getlocation(dwarf_attr_integrate(die, DW_AT_location, &attribute), &operations, &count) != 0)
        return std::nullopt;
    if (!count || operations[0].atom != DW_OP_fbreg) return std::nullopt;
    const auto at = static_cast<std::int64_t>(operations[0].number);
    if (count == 1) return at;
    if (count == 2 && operations[1].atom == DW_OP_plus_uconst)
        return at + static_cast<std::int64_t>(operations[1].number); // auto [a, b]
    return std::nullopt;
}

bool has(Dwarf_Die* die, unsigned what) {
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, what, &attribute) != nullptr;
}

/// Nothing for what is none of a lane's own: memory that is shared or global, and what the compiler made for itself.
std::optional<LocalVariable> variable_of(Dwarf_Die* die) {
    const int tag = dwarf_tag(die);
    if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) return std::nullopt;
    LocalVariable out;
    out.name = text_of(die, DW_AT_name);
    Dwarf_Die type;
    if (out.name.empty() || out.name.starts_with("__") || (is_set(die, DW_AT_artificial) && out.name != "this") ||
        is_set(die, DW_AT_declaration) || is_set(die, DW_AT_external) || !type_of(die, &type))
        return std::nullopt;
    out.type = type_name(&type);
    out.line = static_cast<std::int32_t>(number_of(die, DW_AT_decl_line).value_or(0));
    Dwarf_Word bytes = 0;
    if (!peel(&type) || dwarf_aggregate_size(&type, &bytes) != 0) return std::nullopt;
    const auto at = place_in_frame(die);
    if (!at && has(die, DW_AT_location)) return std::nullopt; // shared memory, or a reference to what the caller has
    if (!at || bytes > frame_below) {
        out.why = at ? "it is too large to be kept" : "optimised out: the compiler keeps it nowhere";
        return out;
    }
    out.at = static_cast<std::int32_t>(*at);
    out.bytes = out.stride = static_cast<std::uint32_t>(bytes);
    Dwarf_Die element = type;
    if (dwarf_tag(&type) == DW_TAG_array_type) {
        out.sizes = sizes_of(&type);
        std::uint64_t count = 1;
        for (const std::uint32_t size : out.sizes) count *= size;
        if (!count || !type_of(&type, &element)) return std::nullopt;
        out.stride = static_cast<std::uint32_t>(bytes / count);
    }
    add_parts(element, "", 0, out.parts);
    if (out.parts.size() > most_parts) out.parts = {{"", ValueKind::bits, 0, out.stride}};
    return out;
}

/// What the shim does for a kernel it does in its own functions, which are no one's to look into.
bool is_the_shims(Dwarf_Die* function) {
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    Dwarf_Die* die =
        dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin, &attribute), &origin) ? &origin : function;
    Dwarf_Die specification;
    if (dwarf_formref_die(dwarf_attr(die, DW_AT_specification, &attribute), &specification)) die = &specification;
    const char* file = dwarf_decl_file(die);
    return file && std::string(file).find("/simt/shim/") != std::string::npos;
}

/// The variables in a function and in what was inlined into it.
void add_pieces(Dwarf_Die* scope, bool arguments, std::vector<FrameLayout::Piece>& pieces) {
    inside(scope, [&](Dwarf_Die* die) {
        const int tag = dwarf_tag(die);
        if (tag == DW_TAG_lexical_block) add_pieces(die, false, pieces);
        if (tag == DW_TAG_inlined_subroutine && !is_the_shims(die)) add_pieces(die, false, pieces);
        const auto variable = variable_of(die);
        if (!variable || !variable->why.empty()) return;
        const auto argument = static_cast<std::uint8_t>(arguments && tag == DW_TAG_formal_parameter);
        const std::uint32_t elements = variable->stride ? variable->bytes / variable->stride : 0;
        bool pointers = false;
        for (const LocalVariable::Part& part : variable->parts) pointers |= part.kind == ValueKind::pointer;
        if (!pointers) return pieces.push_back({variable->at, variable->bytes, 0, argument});
        for (std::uint32_t i = 0; i < elements; ++i)
            for (const LocalVariable::Part& part : variable->parts)
                pieces.push_back({variable->at + static_cast<std::int32_t>(i * variable->stride + part.offset),
                                  part.bytes, static_cast<std::uint8_t>(part.kind == ValueKind::pointer), argument});
    });
}

/// The function that an address is in, and what of it and of functions inlined into it lies around the address: outermost first. (Not by
/// dwarf_getscopes, which does not find a lambda's function, since it lies in the one that makes the lambda.)
template <class Functions>
std::vector<Dwarf_Die> scopes_at(Dwarf* dwarf, const Functions& functions, std::uint64_t address) {
    std::vector<Dwarf_Die> out;
    Dwarf_Die die;
    for (const auto& function : functions)
        if (address >= function.begin && address < function.end && dwarf_offdie(dwarf, function.die, &die)) out = {die};
    for (bool found = !out.empty(); found;) {
        found = false;
        Dwarf_Die around = out.back();
        inside(&around, [&](Dwarf_Die* child) {
            const int tag = dwarf_tag(child);
            if (found || (tag != DW_TAG_lexical_block && tag != DW_TAG_inlined_subroutine) ||
                dwarf_haspc(child, address) != 1)
                return;
            out.push_back(*child);
            found = true;
        });
    }
    return out;
}

} // namespace

LocalVariables::LocalVariables(const std::string& library) : reader_(std::make_unique<Reader>()) {
    reader_->file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
    if (reader_->file < 0) throw FileError(fmt::format("{}: the kernel's library cannot be read", library));
    reader_->dwarf = dwarf_begin(reader_->file, DWARF_C_READ);
    if (!reader_->dwarf) return;
    std::size_t header = 0;
    for (Dwarf_Off at = 0, next = 0; dwarf_nextcu(reader_->dwarf, at, &next, &header, nullptr, nullptr, nullptr) == 0;
         at = next) {
        Dwarf_Die unit;
        if (!dwarf_offdie(reader_->dwarf, at + header, &unit)) continue;
        const auto visit = [&](const auto& self, Dwarf_Die* die) -> void {
            inside(die, [&](Dwarf_Die* child) {
                const int tag = dwarf_tag(child);
                if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
                    self(self, child);
                FrameLayout frame;
                if (tag != DW_TAG_subprogram || dwarf_lowpc(child, &frame.begin) != 0 ||
                    dwarf_highpc(child, &frame.end) != 0) {
                    if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
                        self(self, child); // a lambda's functions lie in it
                    return;
                }
                reader_->functions.push_back({frame.begin, frame.end, dwarf_dieoffset(child)});
                if (!is_the_shims(child)) add_pieces(child, true, frame.pieces);
                if (!frame.pieces.empty()) frames_.push_back(std::move(frame));
                self(self, child);
            });
        };
        visit(visit, &unit);
    }
}

LocalVariables::~LocalVariables() = default;

std::vector<LocalVariables::Seen> LocalVariables::at(std::uint64_t returns_to) const {
    std::vector<Seen> out;
    const std::uint64_t address = returns_to - 1; // within the call
    Dwarf_Die unit;
    if (!reader_->dwarf || !dwarf_addrdie(reader_->dwarf, address, &unit)) return out;
    int line = 0;
    if (Dwarf_Line* here = dwarf_getsrc_die(&unit, address)) dwarf_lineno(here, &line);
    std::vector<Dwarf_Die> scopes = scopes_at(reader_->dwarf, reader_->functions, address);
    std::vector<Seen> of_function;
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
        const int tag = dwarf_tag(&*scope);
        inside(&*scope, [&](Dwarf_Die* die) {
            auto variable = variable_of(die);
            if (variable)
                of_function.push_back(
                    {std::move(*variable), dwarf_tag(die) == DW_TAG_variable && variable->line > line});
        });
        if (tag == DW_TAG_lexical_block) continue;
        const std::string name = text_of(&*scope, DW_AT_name);
        if (!is_the_shims(&*scope))
            for (Seen& seen : of_function) {
                seen.variable.function = name;
                out.push_back(std::move(seen));
            }
        of_function.clear();
        line = static_cast<int>(number_of(&*scope, DW_AT_call_line).value_or(0));
    }
    return out;
}

} // namespace gradus::simt
