#include "engine/simt/compile.hpp"

#include "engine/core/hash.hpp"
#include "engine/core/part_file.hpp"
#include "engine/core/user_folder.hpp"
#include "engine/simt/kernel_folder.hpp"
#include "engine/simt/tool_process.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace gradus::simt {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds most_time{30};

const std::vector<std::string> common_flags{"-std=c++20", "-x", "c++", "-fPIC", "-fno-exceptions", "-fno-extern-tls-init", "-ffp-contract=off", "-fno-plt",
                                            "-include", "cuda_runtime.h", "-fdiagnostics-format=json"};
const std::vector<std::string> hooked_flags{"-O0", "-g", "-fno-omit-frame-pointer", "-fsanitize=thread,bounds", "-fsanitize-coverage=trace-pc",
                                            "-ftls-model=initial-exec"};
const std::vector<std::string> plain_flags{"-O2", "-march=native"};

/// The hooks' names, so that no sanitizer in the process is taken for them. In the compiler's words, and in runtime/hooked_calls.cpp's.
const std::vector<std::pair<std::string, std::string>> hooks = [] {
    std::vector<std::pair<std::string, std::string>> out{{"__tsan_init", "simt_init"},
                                                         {"__tsan_func_entry", "simt_func_entry"},
                                                         {"__tsan_func_exit", "simt_func_exit"},
                                                         {"__tsan_read_range", "simt_read_range"},
                                                         {"__tsan_write_range", "simt_write_range"},
                                                         {"__sanitizer_cov_trace_pc", "simt_trace_pc"},
                                                         {"__ubsan_handle_out_of_bounds", "simt_out_of_bounds"}};
    for (const char* kind : {"read", "write", "unaligned_read", "unaligned_write", "volatile_read", "volatile_write"})
        for (const int bytes : {1, 2, 4, 8, 16}) out.emplace_back(fmt::format("__tsan_{}{}", kind, bytes), fmt::format("simt_{}{}", kind, bytes));
    return out;
}();

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw FileError(fmt::format("{}: cannot be read", file.string()));
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
    if (!out.flush()) throw FileError(fmt::format("{}: cannot be written", file.string()));
}

/// "…" as a C++ string.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += letter;
    }
    return out + '"';
}

/// The unit that is compiled: the kernel's file as it is, and a C function for each launch.
std::string entry_unit(const KernelSource& source) {
    std::string text = fmt::format(R"(#line 1 "entries"
#include {}
#include <utility>
extern "C" {{
const SimtRuntime* simt_runtime = nullptr;
__attribute__((visibility("default"))) SIMT_UNMARKED void simt_attach(const SimtRuntime* runtime) {{ simt_runtime = runtime; }}
}}
template <class... T, size_t... I>
SIMT_UNMARKED void simt_call(void (*kernel)(T...), void** arguments, std::index_sequence<I...>) {{ kernel(*static_cast<T*>(arguments[I])...); }}
template <class... T>
SIMT_UNMARKED void simt_call(void (*kernel)(T...), void** arguments) {{ simt_call(kernel, arguments, std::index_sequence_for<T...>()); }}
template <class... T>
constexpr int simt_parameters(void (*)(T...)) {{ return sizeof...(T); }}
)",
                                   quoted(fs::absolute(source.file).string()));
    for (std::size_t i = 0; i < source.entries.size(); ++i)
        text += fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) SIMT_UNMARKED void simt_entry_{0}(void** arguments) {{ simt_call({1}, arguments); }}\n"
                            "extern \"C\" __attribute__((visibility(\"default\"))) const int simt_parameters_{0} = simt_parameters({1});\n",
                            i, source.entries[i]);
    return text;
}

/// GCC's JSON: a list of {kind, message, locations: [{caret: {file, line, column}}], children}.
std::vector<CompilerMessage> messages_in(const std::string& output) {
    std::vector<CompilerMessage> out;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] != '[') continue;
        const auto list = nlohmann::json::parse(line, nullptr, false);
        if (!list.is_array()) continue;
        for (const auto& one : list) {
            CompilerMessage message{{}, 0, 0, one.value("kind", "error"), one.value("message", "")};
            if (one.contains("locations") && !one["locations"].empty() && one["locations"][0].contains("caret")) {
                const auto& caret = one["locations"][0]["caret"];
                message.file = caret.value("file", ""), message.line = caret.value("line", 0), message.column = caret.value("column", 0);
            }
            out.push_back(std::move(message));
        }
    }
    return out;
}

[[noreturn]] void refuse(const KernelSource& source, const ToolEnd& end) {
    const std::string name = fs::path(source.file).filename().string();
    if (end.code == 127) throw UnavailableError("no g++ is here, which compiles kernels for the CPU; install the package g++");
    if (end.too_long) throw UnavailableError(fmt::format("{}: the compiler did not come to an end within {} s", name, most_time.count()));
    const std::vector<CompilerMessage> messages = messages_in(end.output);
    const auto first = std::find_if(messages.begin(), messages.end(), [](const CompilerMessage& one) { return one.severity.find("error") != std::string::npos; });
    if (first == messages.end()) throw CompileError(fmt::format("{}: the compiler gave up: {}", name, end.output.substr(0, end.output.find('\n'))), messages);
    const std::string where = first->line ? fmt::format("{}:{}:{}", fs::path(first->file).filename().string(), first->line, first->column) : name;
    throw CompileError(fmt::format("{}: {}", where, first->message), messages);
}

void run_or_refuse(const KernelSource& source, std::vector<std::string> words) {
    const ToolEnd end = run_tool(words, most_time);
    if (end.code != 0) refuse(source, end);
}

/// Names of `extern __shared__` variables, which nobody defines: they all begin where the static ones end.
std::vector<std::string> dynamic_shared(const fs::path& object) {
    const ToolEnd end = run_tool({"readelf", "-sW", object.string()}, most_time);
    std::vector<std::string> out;
    std::istringstream lines(end.output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::vector<std::string> word;
        for (std::string each; words >> each;) word.push_back(each);
        if (word.size() == 8 && word[3] == "TLS" && word[6] == "UND") out.push_back(word[7]);
    }
    return out;
}

std::string dynamic_unit(const std::vector<std::string>& names) {
    std::string text = ".section .tbss.z,\"awT\",@nobits\n.balign 64\n"; // glibc gives thread-local variables no more
    for (const std::string& name : names) text += fmt::format(".globl {0}\n.hidden {0}\n.type {0},@object\n{0}:\n", name);
    return text + ".zero 232448\n.section .note.GNU-stack,\"\",@progbits\n"; // 227 KiB, the most that any GPU gives a block
}

/// A folder that can be written to: the user's cache, or one for the time being.
fs::path cache_folder() {
    std::error_code error;
    for (const fs::path& folder : {user_folder(Keeps::cache) / "kernels", fs::temp_directory_path(error) / fmt::format("gradus-kernels-{}", geteuid())}) {
        fs::create_directories(folder, error);
        if (access(folder.c_str(), W_OK) == 0) return folder;
    }
    throw FileError("no folder can be written to in which a compiled kernel could lie");
}

std::uint64_t shim_hash(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files) all += file.filename().string() + text_of(file);
    return hash_text(all);
}

const std::string& compiler_version() {
    static const std::string version = run_tool({"g++", "--version"}, most_time).output;
    return version;
}

/// Libraries that were not used for long make room: at most so many stay.
void thin_out(const fs::path& folder) {
    constexpr std::size_t most = 1500;
    std::vector<std::pair<fs::file_time_type, fs::path>> libraries;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".so") libraries.emplace_back(entry.last_write_time(error), entry.path());
    if (libraries.size() <= most) return;
    std::sort(libraries.begin(), libraries.end());
    for (std::size_t i = 0; i < libraries.size() - most; ++i) fs::remove(libraries[i].second, error);
}

/// Whether it is a library that was written whole: its sections' table stands at its end.
bool is_whole(const fs::path& library) {
    std::error_code error;
    if (!fs::is_regular_file(library, error)) return false;
    return run_tool({"readelf", "-hW", library.string()}, most_time).output.find("Error") == std::string::npos;
}

} // namespace

std::string compile_kernel(const KernelSource& source, KernelBuild build) {
    const fs::path engine = kernel_folder(), shim = engine / "simt" / "shim";
    const std::string text = text_of(source.file), unit = entry_unit(source);
    const std::vector<std::string>& own_flags = build == KernelBuild::hooked ? hooked_flags : plain_flags;
    std::string key = text + '\0' + unit + '\0' + compiler_version() + '\0' + hash_hex(shim_hash(shim)) + hash_hex(hash_text(text_of(engine / "simt" / "simt.h")));
    const fs::path beside = source.beside.empty() ? fs::absolute(source.file).parent_path() : fs::path(source.beside);
    std::vector<fs::path> headers;
    for (const auto& entry : fs::directory_iterator(beside))
        if (entry.path().extension() == ".cuh") headers.push_back(entry.path());
    std::sort(headers.begin(), headers.end());
    for (const fs::path& header : headers) key += text_of(header);
    for (const auto* flags : {&common_flags, &own_flags})
        for (const std::string& flag : *flags) key += ' ' + flag;
    const fs::path folder = cache_folder();
    const fs::path library = folder / fmt::format("{}-{}.{}.so", fs::path(source.file).stem().string(), hash_hex(hash_text(key)), build == KernelBuild::hooked ? "hooked" : "plain");
    if (std::error_code error; fs::exists(library, error) && is_whole(library)) {
        fs::last_write_time(library, fs::file_time_type::clock::now(), error);
        return library.string();
    }
    remove_old_parts(library);
    const std::string part = part_of(library).string();
    struct Remains { // of the way there, whatever becomes of it
        std::string part;
        ~Remains() {
            std::error_code error;
            for (const char* end : {"", ".cpp", ".o", ".hooks", ".s", ".shared.o"}) fs::remove(part + end, error);
        }
    } const remains{part};

    write_text(part + ".cpp", unit);
    std::vector<std::string> words{"g++"};
    words.insert(words.end(), common_flags.begin(), common_flags.end());
    words.insert(words.end(), own_flags.begin(), own_flags.end());
    words.insert(words.end(), {"-I", shim.string(), "-I", engine.parent_path().string(), "-iquote", beside.string(), "-c", part + ".cpp", "-o", part + ".o"});
    run_or_refuse(source, words);
    if (build == KernelBuild::hooked) {
        std::string names;
        for (const auto& [theirs, ours] : hooks) names += theirs + ' ' + ours + '\n';
        write_text(part + ".hooks", names);
        run_or_refuse(source, {"objcopy", "--redefine-syms=" + part + ".hooks", part + ".o"});
    }
    std::vector<std::string> link{"g++", "-shared", "-nostartfiles", "-Wl,-z,now", part + ".o"};
    if (const auto names = dynamic_shared(part + ".o"); !names.empty()) {
        write_text(part + ".s", dynamic_unit(names));
        run_or_refuse(source, {"as", part + ".s", "-o", part + ".shared.o"});
        link.push_back(part + ".shared.o");
    }
    link.insert(link.end(), {"-o", part});
    run_or_refuse(source, link);
    fs::rename(part, library);
    thin_out(folder);
    return library.string();
}

} // namespace gradus::simt
