#include "engine/simt/kernel_text.hpp"

#include "engine/core/text.hpp"
#include "engine/simt/compiler_messages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <sstream>

namespace gradus::simt {

namespace fs = std::filesystem;

namespace {
constexpr std::uintmax_t most_text = 64 << 20; // bytes
}

std::string text_of(const fs::path& file) {
    std::error_code error;
    if (fs::exists(file, error) && !fs::is_regular_file(file, error)) throw FileError(fmt::format("{}: is no file of text", file.string())); // a device may never end
    if (const auto bytes = fs::file_size(file, error); !error && bytes > most_text) throw FileError(fmt::format("{}: has {} bytes, more than a kernel's text", file.string(), bytes));
    std::ifstream in(file, std::ios::binary);
    if (!in) throw FileError(fmt::format("{}: cannot be read", file.string()));
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) throw FileError(fmt::format("{}: cannot be written", file.string()));
}

namespace {

/// "name" of a line `#include "name"`; empty for any other.
std::string_view included(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) return {};
    line = trimmed(line.substr(1));
    if (!line.starts_with("include")) return {};
    line = trimmed(line.substr(7));
    const std::size_t end = line.find('"', 1);
    return line.starts_with('"') && end != std::string_view::npos ? line.substr(1, end - 1) : std::string_view{};
}

void add_text(const fs::path& file, const std::vector<fs::path>& folders, std::set<fs::path>& read, std::string& out) {
    if (!read.insert(file).second) return;
    const std::string text = text_of(file);
    if (text.find('\0') != std::string::npos) throw FileError(fmt::format("{}: is no text", file.string()));
    out += text + '\0';
    std::vector<fs::path> places{file.parent_path()};
    places.insert(places.end(), folders.begin(), folders.end());
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::string_view name = included(line);
        const auto found = std::find_if(places.begin(), places.end(), [&](const fs::path& folder) {
            std::error_code error;
            return !name.empty() && fs::is_regular_file(folder / name, error);
        });
        if (found != places.end()) add_text((*found / name).lexically_normal(), folders, read, out);
    }
}

} // namespace

std::string text_with_includes(const fs::path& file, const std::vector<fs::path>& folders) {
    std::string out;
    std::set<fs::path> read;
    add_text(file, folders, read, out);
    return out;
}

std::string text_of_all(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files) all += file.string() + '\0' + text_of(file) + '\0';
    return all;
}

std::string processor_of(std::istream& cpuinfo) {
    std::string text;
    for (std::string line; std::getline(cpuinfo, line) && !line.empty();) // of the first one
        if (line.starts_with("vendor_id") || line.starts_with("cpu family") || line.starts_with("model") || line.starts_with("flags")) text += line + '\n';
    return text;
}

std::string entry_unit(const KernelSource& source) {
    std::string text = R"(#line 1 "entries"
#include <utility>
extern "C" {
const SimtRuntime* simt_runtime = nullptr;
#ifdef SIMT_HOOKS
extern SIMT_HIDDEN SimtUsual __start_simt_usual[], __stop_simt_usual[]; // the linker's: where the section begins and ends
SimtNow simt_nobody = {.frame = ~uint64_t{0}}; // in whose frame nothing is: of the library's own initialisers
SimtHooked simt_hooked = {&simt_nobody, __start_simt_usual, __stop_simt_usual};
__attribute__((visibility("default"))) SIMT_UNMARKED SimtHooked* simt_hooks() { return &simt_hooked; }
#endif
__attribute__((visibility("default"))) SIMT_UNMARKED void simt_attach(const SimtRuntime* runtime) { simt_runtime = runtime; }
}
template <class... T, size_t... I>
SIMT_UNMARKED void simt_call(void (*kernel)(T...), void** arguments, std::index_sequence<I...>) { kernel(*static_cast<T*>(arguments[I])...); }
template <class... T>
SIMT_UNMARKED void simt_call(void (*kernel)(T...), void** arguments) { simt_call(kernel, arguments, std::index_sequence_for<T...>()); }
template <class T, class Given>
constexpr bool simt_takes = std::is_pointer_v<T> == std::is_pointer_v<Given> && std::is_floating_point_v<T> == std::is_floating_point_v<Given> && sizeof(T) == sizeof(Given);
template <class... Given, class... T>
constexpr bool simt_fits(void (*)(T...)) {
    if constexpr (sizeof...(Given) == sizeof...(T)) return (simt_takes<T, Given> && ...);
    return false;
}
)";
    for (std::size_t i = 0; i < source.entries.size(); ++i) {
        text += fmt::format("#line {} \"{}\"\n", i + 1, launches_file);
        if (i < source.arguments.size())
            text += fmt::format("static_assert(simt_fits<{0}>({1}), \"it hands over ({0}), and the kernel takes something else\"); ", joined(source.arguments[i]),
                                source.entries[i]);
        text += fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) SIMT_UNMARKED void simt_entry_{0}(void** arguments) {{ simt_call({1}, arguments); }}\n",
                            i, source.entries[i]);
    }
    return text;
}

} // namespace gradus::simt
