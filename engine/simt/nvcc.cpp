#include "engine/simt/nvcc.hpp"

#include "engine/core/hash.hpp"
#include "engine/core/part_file.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/compile.hpp"
#include "engine/simt/tool_process.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace gradus::simt {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds most_time{300};

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw FileError(fmt::format("{}: cannot be read", file.string()));
    return {std::istreambuf_iterator<char>(in), {}};
}

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
    if (end.too_long) throw UnavailableError(fmt::format("{}: nvcc did not come to an end within {} s", name, most_time.count()));
    const std::vector<CompilerMessage> messages = messages_in(end.output);
    const auto first = std::find_if(messages.begin(), messages.end(), [](const CompilerMessage& one) { return one.severity == "error"; });
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
std::string compile(const std::string& nvcc, const std::string& file, int architecture, const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{nvcc, "-std=c++17", "-fmad=false", fmt::format("-arch=sm_{}", architecture), "-cubin", "-o", output, file};
    words.insert(words.end(), more.begin(), more.end());
    const ToolEnd end = run_tool(words, {most_time, std::uint64_t{16} << 30});
    if (end.code != 0) refuse(nvcc, file, architecture, end);
    return end.output;
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
/// then "Used 14 registers, …". Functions that are called, and not inlined, have properties of their own.
std::vector<KernelResources> resources_in(const std::string& output) {
    static const std::regex entry(R"(ptxas info\s*: Compiling entry function '([^']+)' for .*)"), properties(R"(ptxas info\s*: Function properties for (\S+))");
    static const std::regex stack(R"(\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)"), used(R"(ptxas info\s*: Used (\d+) registers(.*))");
    static const std::regex shared(R"((\d+) bytes smem)"), cumulative(R"((\d+) bytes cumulative stack size)");
    const auto number = [](const std::string& digits) { return parse_integer(digits).value_or(0); };
    std::vector<KernelResources> out;
    std::string kernel, function;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (std::regex_match(line, parts, entry)) {
            kernel = parts[1];
            out.emplace_back().name = launch_name(kernel);
        } else if (std::regex_match(line, parts, properties)) function = parts[1];
        else if (std::regex_match(line, parts, stack) && !out.empty() && function == kernel) {
            out.back().stack = number(parts[1]), out.back().spill_stores = number(parts[2]), out.back().spill_loads = number(parts[3]);
        } else if (std::regex_match(line, parts, used) && !out.empty()) {
            out.back().registers = static_cast<int>(number(parts[1]));
            const std::string rest = parts[2];
            if (std::regex_search(rest, parts, shared)) out.back().static_shared = number(parts[1]);
            if (std::regex_search(rest, parts, cumulative)) out.back().stack = std::max(out.back().stack, number(parts[1]));
        }
    }
    return out;
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

std::vector<KernelResources> kernel_resources(const std::string& nvcc, const std::string& file, int architecture) {
    static std::mutex mutex; // guards `known`
    static std::map<std::string, std::vector<KernelResources>> known;
    const std::string key = fmt::format("{} {} {} {}", architecture, hash_hex(hash_text(text_of(file))), nvcc, fs::path(file).parent_path().string());
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known.find(key); found != known.end()) return found->second;
    }
    const fs::path output = part_of(fs::temp_directory_path() / "kernel.cubin");
    struct Removed {
        const fs::path& file;
        ~Removed() {
            std::error_code error;
            fs::remove(file, error);
        }
    } const removed{output};
    std::vector<KernelResources> made = resources_in(compile(nvcc, file, architecture, output.string(), {"-Xptxas", "-v"})); // which a cubin would remember
    const std::lock_guard lock(mutex);
    return known.emplace(key, std::move(made)).first->second;
}

bool matches(const KernelResources& resources, std::string_view expression) {
    const std::string name = plain(resources.name), wanted = plain(expression);
    if (name == wanted) return true;
    if (wanted.ends_with('>')) return name.starts_with(wanted.substr(0, wanted.size() - 1) + ","); // the rest are defaults
    return !wanted.empty() && name.starts_with(wanted + "<");
}

void build_cubin(const std::string& nvcc, const std::string& file, int architecture, const std::string& output) {
    text_of(file); // names a file that is not there better than nvcc would
    compile(nvcc, file, architecture, output);
}

} // namespace gradus::simt
