#include "engine/simt/nvcc.hpp"

#include "engine/core/hash.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/kernel_cache.hpp"
#include "engine/simt/kernel_text.hpp"
#include "engine/simt/tool_process.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace gradus::simt {

namespace fs = std::filesystem;

namespace {

const ToolLimits most{std::chrono::seconds(300), std::uint64_t{16} << 30};
constexpr std::uintmax_t most_kept = 512 << 20; // bytes
constexpr std::size_t longest_line = 4096;      // std::regex takes stack for every letter

bool is_program(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// "kernel.cu(3): error: …" of the front end, "ptxas /tmp/….ptx, line 26; error   : …" of the assembler, "nvcc fatal   : …".
std::vector<CompilerMessage> messages_in(const std::string& output) {
    static const std::regex front_end(R"((.+)\((\d+)\): (error|warning|catastrophic error)[^:]*: (.*))");
    static const std::regex assembler(R"(ptxas .*; (error|warning)\s*: (.*))");
    static const std::regex whole(R"((?:nvcc|ptxas|cc1plus|\S*: )\s*(fatal(?: error)?|error)\s*: (.*))");
    std::vector<CompilerMessage> out;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() > longest_line) continue;
        std::smatch parts;
        if (std::regex_match(line, parts, front_end))
            out.push_back({parts[1], static_cast<int>(parse_integer(parts[2].str()).value_or(0)), 0, parts[3] == "warning" ? "warning" : "error", parts[4]});
        else if (std::regex_match(line, parts, assembler)) out.push_back({{}, 0, 0, parts[1], parts[2]});
        else if (std::regex_match(line, parts, whole)) out.push_back({{}, 0, 0, "error", parts[2]});
    }
    return out;
}

[[noreturn]] void refuse(const std::string& nvcc, const std::string& file, int architecture, const ToolEnd& end) {
    const std::string name = fs::path(file).filename().string();
    if (end.code == 127 && end.output.empty()) throw UnavailableError(fmt::format("{} cannot be run", nvcc));
    if (end.too_long) throw UnavailableError(fmt::format("{}: nvcc did not come to an end within {} s", name, most.time.count()));
    const std::vector<CompilerMessage> messages = messages_in(end.output);
    const auto first = std::find_if(messages.begin(), messages.end(), [](const CompilerMessage& one) { return one.severity == "error"; });
    if (first == messages.end() && trimmed(end.output).empty()) throw UnavailableError(fmt::format("{}: {} ended with code {} and said nothing", name, nvcc, end.code));
    if (first == messages.end())
        throw UnavailableError(fmt::format("{}: nvcc gave up: {}", name, one_line(end.output.substr(0, end.output.find('\n')))));
    const std::string said = one_line(first->message);
    if (said.starts_with("Unsupported gpu architecture") || said.find("is not defined for option 'gpu-architecture'") != std::string::npos)
        throw UnavailableError(fmt::format("{} does not compile for sm_{}: {}", nvcc, architecture, said));
    if (said.starts_with("Output file")) throw FileError(fmt::format("{}: {}", name, said));
    const std::string where = first->line ? fmt::format("{}:{}", fs::path(first->file).filename().string(), first->line) : name;
    throw CompileError(fmt::format("{}: {} (for sm_{})", where, said, architecture), messages);
}

/// -std=c++17 is what nvcc would take by itself; multiply-adds stay as the source says them, so that CPU and GPU round alike.
const std::vector<std::string> common_flags{"-std=c++17", "-fmad=false"};
const std::vector<std::string> verbose{"-Xptxas", "-v"}; // which a cubin would remember

ToolEnd compile(const std::string& nvcc, const std::string& file, const WorkFolder& work, const std::vector<std::string>& flags, const std::stop_token& stop = {}) {
    std::vector<std::string> words{nvcc};
    words.insert(words.end(), common_flags.begin(), common_flags.end());
    words.insert(words.end(), flags.begin(), flags.end());
    words.push_back(file);
    return run_tool(words, most, work.path(), stop);
}

/// "void lab::tiled<32, float>(float*, int)" is launched as "lab::tiled<32, float>".
std::string launch_name(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    if (!demangled) return mangled; // extern "C"
    std::string name = demangled.get();
    if (name.starts_with("void ")) name.erase(0, 5); // the demangler gives a template's result
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (name[i] == '(' && depth == 0) return name.substr(0, i);
    }
    return name;
}

/// A block of lines for each kernel: "Compiling entry function 'f' for 'sm_80'", then "Function properties for f", and stack and spills,
/// then "Used 14 registers, …". Functions that are called, and not inlined, have properties of their own. By architecture.
std::map<int, std::vector<KernelResources>> resources_in(const std::string& output) {
    static const std::regex entry(R"(ptxas info\s*: Compiling entry function '([^']+)' for 'sm_(\d+).*)"), properties(R"(ptxas info\s*: Function properties for (\S+))");
    static const std::regex stack(R"(\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)"), used(R"(ptxas info\s*: Used (\d+) registers(.*))");
    static const std::regex shared(R"((\d+) bytes smem)"), cumulative(R"((\d+) bytes cumulative stack size)");
    const auto number = [](const std::string& digits) { return parse_integer(digits).value_or(0); };
    std::map<int, std::vector<KernelResources>> all;
    KernelResources* now = nullptr;
    std::string kernel, function;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() > longest_line) continue;
        std::smatch parts;
        if (std::regex_match(line, parts, entry)) {
            kernel = parts[1];
            now = &all[static_cast<int>(number(parts[2]))].emplace_back();
            now->name = launch_name(kernel);
        } else if (std::regex_match(line, parts, properties)) function = parts[1];
        else if (std::regex_match(line, parts, stack) && now && function == kernel) {
            now->stack = number(parts[1]), now->spill_stores = number(parts[2]), now->spill_loads = number(parts[3]);
        } else if (std::regex_match(line, parts, used) && now) {
            now->registers = static_cast<int>(number(parts[1]));
            const std::string rest = parts[2];
            if (std::regex_search(rest, parts, shared)) now->static_shared = number(parts[1]);
            if (std::regex_search(rest, parts, cumulative)) now->stack = std::max(now->stack, number(parts[1]));
        }
    }
    return all;
}

/// In the cache: a line for each kernel, its name last.
constexpr std::string_view first_line = "resources of kernels, 1\n";

std::string text_of_resources(const std::vector<KernelResources>& all) {
    std::string out(first_line);
    for (const KernelResources& one : all)
        out += fmt::format("{} {} {} {} {} {}\n", one.registers, one.static_shared, one.stack, one.spill_stores, one.spill_loads, one.name);
    return out;
}

std::optional<std::vector<KernelResources>> kept_resources(const fs::path& kept) {
    const std::string text = kept_text(kept);
    if (!text.starts_with(first_line)) return {};
    std::vector<KernelResources> all;
    std::istringstream lines(text.substr(first_line.size()));
    for (KernelResources one; lines >> one.registers >> one.static_shared >> one.stack >> one.spill_stores >> one.spill_loads && std::getline(lines >> std::ws, one.name);) all.push_back(one);
    return all;
}

/// Of the compiler at that path.
std::string version_of(const std::string& nvcc) {
    static std::mutex mutex; // guards `known`
    static std::map<std::string, std::string> known;
    const std::lock_guard lock(mutex);
    std::string& version = known[nvcc];
    if (version.empty()) version = run_tool({nvcc, "--version"}, most).output;
    return version;
}

/// Without blanks and global ::, numbers without what says their type ("32u"), `unsigned` in its short form.
std::string plain(std::string_view expression) {
    std::string out;
    for (std::size_t i = 0; i < expression.size(); ++i) {
        const char letter = expression[i];
        if (std::isspace(static_cast<unsigned char>(letter))) continue;
        if ((letter == 'u' || letter == 'U' || letter == 'l' || letter == 'L') && !out.empty() && std::isdigit(static_cast<unsigned char>(out.back()))) {
            std::size_t digits = out.size();
            while (digits > 0 && std::isdigit(static_cast<unsigned char>(out[digits - 1]))) --digits;
            if (digits > 0 && (out[digits - 1] == '<' || out[digits - 1] == ',' || out[digits - 1] == '-')) continue;
        }
        out += letter;
    }
    for (std::size_t at; (at = out.find("unsignedint")) != std::string::npos;) out.erase(at + 8, 3);
    if (out.starts_with("::")) out.erase(0, 2);
    return out;
}

} // namespace

std::optional<std::string> find_nvcc() {
    const auto word = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    if (const std::string named = word("GRADUS_NVCC"); !named.empty()) return is_program(named) ? std::optional(named) : std::nullopt;
    std::vector<fs::path> places{word("CUDACXX")};
    const std::string path = word("PATH");
    for (const std::string_view folder : split(path, ':'))
        if (!folder.empty()) places.push_back(fs::path(folder) / "nvcc");
    places.emplace_back("/usr/local/cuda/bin/nvcc");
    for (const fs::path& place : places)
        if (is_program(place)) return place.string();
    return {};
}

std::vector<KernelResources> kernel_resources(const std::string& nvcc, const std::string& file, int architecture, const std::vector<int>& with,
                                              const std::string& beside, const std::stop_token& stop) {
    const fs::path source = fs::absolute(file).lexically_normal();
    std::vector<fs::path> folders;
    std::vector<std::string> own_flags;
    if (!beside.empty() && fs::absolute(beside).lexically_normal() != source.parent_path()) {
        folders.push_back(fs::absolute(beside).lexically_normal());
        own_flags = {"-I", folders.front().string()};
    }
    const std::string key = joined(common_flags) + '\0' + nvcc + version_of(nvcc) + '\0' + source.string() + '\0' + joined(own_flags) + '\0' + text_with_includes(source, folders);
    const fs::path folder = kernel_cache(), stem = folder / fmt::format("{}-{}", fs::path(file).stem().string().substr(0, 100), hash_hex(hash_text(key)));
    const auto kept_at = [&](int which) { return fs::path(fmt::format("{}.sm_{}.resources", stem.string(), which)); };
    if (auto known = kept_resources(kept_at(architecture))) return *known;
    const WorkFolder work(kept_at(architecture));
    const auto keep_all = [&](const std::vector<int>& asked, const std::string& output) {
        std::map<int, std::vector<KernelResources>> made = resources_in(output);
        for (const int each : asked) {
            const std::string text = work.path() + "/resources";
            write_text(text, text_of_resources(made[each]));
            keep(text, kept_at(each));
        }
        thin_out(folder, most_kept);
        return made[architecture];
    };
    std::vector<int> asked;
    std::vector<std::string> flags{"-fatbin", "-o", work.path() + "/kernel"};
    flags.insert(flags.end(), own_flags.begin(), own_flags.end());
    for (const int each : with) {
        if (each != architecture && kept_resources(kept_at(each))) continue;
        asked.push_back(each);
        flags.push_back(fmt::format("-gencode=arch=compute_{0},code=sm_{0}", each));
    }
    flags.insert(flags.end(), verbose.begin(), verbose.end());
    if (asked.size() > 1 && std::find(asked.begin(), asked.end(), architecture) != asked.end())
        if (const ToolEnd end = compile(nvcc, file, work, flags, stop); end.code == 0) return keep_all(asked, end.output); // else each fails, or not, on its own
    flags = {fmt::format("-arch=sm_{}", architecture), "-cubin", "-o", work.path() + "/kernel"};
    flags.insert(flags.end(), own_flags.begin(), own_flags.end());
    flags.insert(flags.end(), verbose.begin(), verbose.end());
    const ToolEnd end = compile(nvcc, file, work, flags, stop);
    if (end.code != 0) refuse(nvcc, file, architecture, end);
    return keep_all({architecture}, end.output);
}

bool matches(const KernelResources& resources, std::string_view expression) {
    const std::string name = plain(resources.name), wanted = plain(expression);
    if (name == wanted) return true;
    if (wanted.ends_with('>')) return name.starts_with(wanted.substr(0, wanted.size() - 1) + ","); // the rest are defaults
    return !wanted.empty() && name.starts_with(wanted + "<");
}

void build_cubin(const std::string& nvcc, const std::string& file, int architecture, const std::string& output) {
    text_of(file); // names a file that is not there better than nvcc would
    const WorkFolder work(kernel_cache() / "kernel.cubin");
    const ToolEnd end = compile(nvcc, file, work, {fmt::format("-arch=sm_{}", architecture), "-cubin", "-o", output});
    if (end.code != 0) refuse(nvcc, file, architecture, end);
}

} // namespace gradus::simt
