#include "engine/simt/compile.hpp"

#include "engine/core/hash.hpp"
#include "engine/core/text.hpp"
#include "engine/simt/compiler_messages.hpp"
#include "engine/simt/inline_hooks.hpp"
#include "engine/simt/kernel_cache.hpp"
#include "engine/simt/kernel_folder.hpp"
#include "engine/simt/kernel_text.hpp"
#include "engine/simt/tool_process.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace gradus::simt {

namespace fs = std::filesystem;

namespace {

const ToolLimits most{std::chrono::seconds(30), std::uint64_t{3} << 30, std::uint64_t{512} << 20};
constexpr std::uintmax_t most_kept = 512 << 20; // bytes

const std::vector<std::string> common_flags{"-std=c++20", "-fPIC", "-fno-exceptions", "-fno-extern-tls-init", "-fno-threadsafe-statics", "-fno-gnu-unique",
                                            "-ffp-contract=off", "-fno-plt", "-fdiagnostics-plain-output", "-fmax-errors=20"};
const std::vector<std::string> hooked_flags{"-O0", "-g", "-fno-omit-frame-pointer", "-fsanitize=thread,bounds", "-fsanitize-coverage=trace-pc",
                                            "-ftls-model=initial-exec"};
const std::vector<std::string> plain_flags{"-O2", "-march=native", "-fno-strict-aliasing"};

[[noreturn]] void refuse(const KernelSource& source, const ToolEnd& end) {
    const std::string name = fs::path(source.file).filename().string();
    const auto said = [&](const char* words) { return end.output.find(words) != std::string::npos; };
    if (end.code == 127) throw UnavailableError("no g++ is here, which compiles kernels for the CPU; install the package g++");
    if (end.too_long) throw UnavailableError(fmt::format("{}: the compiler did not come to an end within {} s", name, most.time.count()));
    std::vector<CompilerMessage> messages = messages_in(end.output, source);
    const bool placed = std::any_of(messages.begin(), messages.end(), [](const CompilerMessage& one) { return one.line && one.severity.ends_with("error"); });
    if (!placed && (said("out of memory") || said("memory exhausted") || said("Cannot allocate memory")))
        throw UnavailableError(fmt::format("{}: the compiler ran out of the {} GiB of memory that it may have", name, most.memory >> 30));
    if (!placed && (said("File size limit exceeded") || said("ile too large")))
        throw UnavailableError(fmt::format("{}: compiled it would have more than {} MiB", name, most.file >> 20));
    std::string sentence = first_error(messages);
    if (sentence.empty() && end.too_much) sentence = fmt::format("{}: the compiler has too much to say of it", name);
    if (sentence.empty() && end.output.empty()) sentence = fmt::format("{}: the compiler gave up without a word, with the exit status {}", name, end.code);
    if (sentence.empty()) sentence = fmt::format("{}: the compiler gave up: {}", name, shortened(one_line(end.output.substr(0, end.output.find('\n'))), 400));
    throw CompileError(sentence, std::move(messages));
}

ToolEnd run_or_refuse(const KernelSource& source, const WorkFolder& work, const std::vector<std::string>& words, const std::stop_token& stop) {
    ToolEnd end = run_tool(words, most, work.path(), stop);
    if (end.code != 0) refuse(source, end);
    return end;
}

/// Names of `extern __shared__` variables, which nobody defines: they all begin where the static ones end.
std::vector<std::string> dynamic_shared(const fs::path& object) {
    const ToolEnd end = run_tool({"readelf", "-sW", object.string()}, most);
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

/// The compiler, and the processor that -march=native means: a home folder may be shared by several machines.
const std::string& compiler_version() {
    static const std::string version = [] {
        std::ifstream processor("/proc/cpuinfo");
        return run_tool({"g++", "--version"}, most).output + processor_of(processor);
    }();
    return version;
}

void add(std::vector<std::string>& words, const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); }

/// The shim's header, compiled beforehand, with the others: most of the time goes into reading them. Its own name where that fails.
std::string shim_header(const fs::path& folder, std::uint64_t key, const std::vector<std::string>& flags, const std::vector<std::string>& others, const std::stop_token& stop) {
    const fs::path header = folder / hash_hex(hash_text(hash_hex(key) + joined(others))) / "cuda_runtime.h", compiled = header.string() + ".gch";
    if (is_kept(compiled)) return header.string();
    try {
        std::error_code error;
        fs::create_directory(header.parent_path(), error);
        const WorkFolder work(compiled);
        const std::string made = work.path() + "/header.gch", text = work.path() + "/header.h";
        std::vector<std::string> words{"g++"};
        add(words, flags);
        add(words, {"-include", "cuda_runtime.h"});
        for (const std::string& other : others) add(words, {"-include", other});
        add(words, {"-x", "c++-header", "/dev/null", "-o", made});
        if (run_tool(words, most, work.path(), stop).code == 0) {
            write_text(text, "#include <cuda_runtime.h>\n"); // for whoever comes when the compiled one was just removed
            fs::rename(text, header);
            keep(made, compiled);
            return header.string();
        }
    } catch (const FileError&) {
    } catch (const fs::filesystem_error&) {
    }
    return "cuda_runtime.h";
}

/// The source's object file; with hooks by way of its assembly, in which they are done in place.
void compile_object(const KernelSource& source, KernelBuild build, const WorkFolder& work, const fs::path& shim, std::vector<std::string> words, const std::string& object,
                    const std::stop_token& stop) {
    const std::string assembly = work.path() + "/kernel.s";
    const bool hooked = build == KernelBuild::hooked;
    add(words, {"-iquote", source.beside, "-include", source.file, "-x", "c++", hooked ? "-S" : "-c", work.path() + "/entries.cpp", "-o", hooked ? assembly : object});
    run_or_refuse(source, work, words, stop);
    if (!hooked) return;
    write_text(assembly, with_inline_hooks(text_of(assembly)));
    run_or_refuse(source, work, {"as", (shim / "simt_hooks.s").string(), assembly, "-o", object}, stop);
}

} // namespace

std::string compile_kernel(const KernelSource& given, KernelBuild build, const std::stop_token& stop) {
    const fs::path engine = fs::absolute(kernel_folder()), shim = engine / "simt" / "shim", file = fs::absolute(given.file).lexically_normal();
    const fs::path beside = given.beside.empty() ? file.parent_path() : fs::absolute(given.beside).lexically_normal();
    const KernelSource source{file.string(), given.entries, beside.string(), given.arguments};
    std::vector<std::string> flags = common_flags;
    add(flags, build == KernelBuild::hooked ? hooked_flags : plain_flags);
    if (build == KernelBuild::hooked && __builtin_cpu_supports("fma")) flags.emplace_back("-DSIMT_HAS_FMA");
    add(flags, {"-I", shim.string(), "-I", engine.parent_path().string()});
    const std::uint64_t shim_key = hash_text(joined(flags) + '\0' + compiler_version() + '\0' + text_of_all(shim) + text_of(engine / "simt" / "simt.h"));
    const std::string unit = entry_unit(source);
    const std::string text = text_with_includes(file, {beside, engine.parent_path()});
    const std::string key = hash_hex(hash_text(hash_hex(shim_key) + unit + '\0' + source.file + '\0' + source.beside + '\0' + text));
    const fs::path folder = kernel_cache();
    const fs::path library = folder / fmt::format("{}-{}.{}.so", file.stem().string().substr(0, 100), key, build == KernelBuild::hooked ? "hooked" : "plain");
    if (is_kept(library)) return library.string();

    const WorkFolder work(library);
    const std::string at = work.path(), object = at + "/kernel.o", made = at + "/kernel.so";
    write_text(at + "/entries.cpp", unit);
    std::vector<std::string> words{"g++"};
    add(words, flags);
    std::vector<std::string> others; // a kernel that does not ask for it finds no name of its, as on the GPU
    if (text.find("<mma.h>") != std::string::npos) others.emplace_back("mma.h");
    add(words, {"-include", shim_header(folder, shim_key, flags, others, stop)});
    compile_object(source, build, work, shim, words, object, stop);
    std::vector<std::string> link{"g++", "-shared", "-nostartfiles", "-Wl,-z,now,-z,defs", object};
    if (const auto names = dynamic_shared(object); !names.empty()) {
        write_text(at + "/shared.s", dynamic_unit(names));
        run_or_refuse(source, work, {"as", at + "/shared.s", "-o", at + "/shared.o"}, stop);
        link.push_back(at + "/shared.o");
    }
    add(link, {"-o", made});
    run_or_refuse(source, work, link, stop);
    keep(made, library);
    thin_out(folder, most_kept);
    return library.string();
}

} // namespace gradus::simt
