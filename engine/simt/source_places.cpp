#include "engine/simt/source_places.hpp"

#include "engine/core/error.hpp"
#include "engine/simt/shared_variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <string_view>
#include <unistd.h>

namespace gradus::simt {

struct SourcePlaces::Reader {
    int file = -1;
    Elf* elf = nullptr;
    Dwarf* dwarf = nullptr;
    std::map<std::uint64_t, std::vector<SourcePlace>> known;

    ~Reader() {
        if (dwarf) dwarf_end(dwarf);
        if (elf) elf_end(elf);
        if (file >= 0) close(file);
    }
};

namespace {

/// "transpose_tiled(float const*, float*, int, int)::tile" -> "tile"
std::string plain_name(const char* symbol) {
    if (!std::string_view(symbol).starts_with("_Z")) return symbol; // a name as it is: "s" alone would be read as the type short
    int status = 0;
    char* whole = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
    std::string name = status == 0 ? whole : symbol;
    std::free(whole);
    const std::size_t colons = name.rfind("::");
    return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Of a kind of symbols: thread-local ones are shared memory, objects the __device__ and __constant__ variables.
std::vector<NamedVariable> variables_of(Elf* elf, unsigned char kind) {
    std::vector<NamedVariable> out;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize) continue;
        Elf_Data* data = elf_getdata(section, nullptr);
        if (!data) continue;
        for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
            GElf_Sym symbol;
            if (!gelf_getsym(data, static_cast<int>(i), &symbol) || GELF_ST_TYPE(symbol.st_info) != kind || symbol.st_shndx == SHN_UNDEF) continue;
            const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && !std::string(name).starts_with("simt_")) out.push_back({plain_name(name), symbol.st_value, symbol.st_size});
        }
    }
    std::sort(out.begin(), out.end(), [](const NamedVariable& a, const NamedVariable& b) { return a.offset < b.offset; });
    return out;
}

const char* name_of(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

int number_of(Dwarf_Die* die, unsigned what) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    return dwarf_formudata(dwarf_attr(die, what, &attribute), &value) == 0 ? static_cast<int>(value) : 0;
}

} // namespace

SourcePlaces::SourcePlaces(const std::string& library) : reader_(std::make_unique<Reader>()) {
    elf_version(EV_CURRENT);
    reader_->file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
    if (reader_->file >= 0) reader_->elf = elf_begin(reader_->file, ELF_C_READ_MMAP, nullptr);
    if (!reader_->elf || elf_kind(reader_->elf) != ELF_K_ELF) throw FileError(fmt::format("{}: the kernel's library cannot be read", library));
    reader_->dwarf = dwarf_begin_elf(reader_->elf, DWARF_C_READ, nullptr);
    shared_ = variables_of(reader_->elf, STT_TLS);
    if (reader_->dwarf) describe_shared(reader_->dwarf, shared_);
    module_ = variables_of(reader_->elf, STT_OBJECT);
}

SourcePlaces::~SourcePlaces() = default;

std::vector<SourcePlace> SourcePlaces::at(std::uint64_t returns_to) const {
    std::vector<SourcePlace>& places = reader_->known[returns_to];
    if (!places.empty() || !reader_->dwarf) return places;
    const std::uint64_t address = returns_to - 1; // within the call
    Dwarf_Die unit;
    if (!dwarf_addrdie(reader_->dwarf, address, &unit)) return places;
    SourcePlace place;
    if (Dwarf_Line* line = dwarf_getsrc_die(&unit, address)) {
        if (const char* file = dwarf_linesrc(line, nullptr, nullptr)) place.file = file;
        dwarf_lineno(line, &place.line);
        dwarf_linecol(line, &place.column);
    }
    // From the innermost scope outwards as they lie in the code: dwarf_getscopes itself goes on, behind the first function that was inlined,
    // with where that one is defined.
    Dwarf_Die *innermost = nullptr, *scopes = nullptr;
    const int count = dwarf_getscopes(&unit, address, &innermost) > 0 ? dwarf_getscopes_die(&innermost[0], &scopes) : 0;
    std::free(innermost);
    Dwarf_Files* files = nullptr;
    dwarf_getsrcfiles(&unit, &files, nullptr);
    for (int i = 0; i < count; ++i) {
        const int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        if (const char* name = name_of(&scopes[i])) place.function = name;
        places.push_back(place);
        if (tag == DW_TAG_subprogram) break;
        const char* file = files ? dwarf_filesrc(files, static_cast<std::size_t>(number_of(&scopes[i], DW_AT_call_file)), nullptr, nullptr) : nullptr;
        place = {file ? file : "", number_of(&scopes[i], DW_AT_call_line), number_of(&scopes[i], DW_AT_call_column), ""};
    }
    std::free(scopes);
    if (places.empty()) places.push_back(place);
    return places;
}

} // namespace gradus::simt
