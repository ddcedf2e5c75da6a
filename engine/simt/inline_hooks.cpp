#include "engine/simt/inline_hooks.hpp"

#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

namespace gradus::simt {

namespace {

/// What stands for a call of each of the compiler's hooks.
const std::map<std::string, std::string, std::less<>>& hooks() {
    static const std::map<std::string, std::string, std::less<>> all = [] {
        std::map<std::string, std::string, std::less<>> out{{"__sanitizer_cov_trace_pc", "simt_block simt_step_back"}};
        const auto calls = [&](const char* theirs, const char* ours) { out.emplace(theirs, fmt::format("call\t*{}@GOTPCREL(%rip)", ours)); };
        calls("__tsan_init", "simt_init");
        calls("__tsan_func_entry", "simt_func_entry");
        calls("__tsan_func_exit", "simt_func_exit");
        calls("__tsan_read_range", "simt_read_range");
        calls("__tsan_write_range", "simt_write_range");
        calls("__ubsan_handle_out_of_bounds", "simt_out_of_bounds");
        for (const char* kind : {"read", "write", "unaligned_read", "unaligned_write", "volatile_read", "volatile_write"})
            for (const int bytes : {1, 2, 4, 8, 16})
                out.emplace(fmt::format("__tsan_{}{}", kind, bytes),
                            fmt::format("simt_access simt_{}{}, {}", kind, bytes, std::string_view(kind).starts_with("unaligned") ? 0 : bytes - 1));
        return out;
    }();
    return all;
}

/// The name in "\tcall\t*NAME@GOTPCREL(%rip)", which is how GCC calls what the linker finds (-fno-plt); empty for any other line.
std::string_view called(std::string_view line) {
    constexpr std::string_view before = "\tcall\t*", after = "@GOTPCREL(%rip)";
    if (!line.starts_with(before) || !line.ends_with(after)) return {};
    return line.substr(before.size(), line.size() - before.size() - after.size());
}

} // namespace

std::string with_inline_hooks(std::string_view assembly) {
    std::string out;
    out.reserve(assembly.size() + assembly.size() / 8);
    while (!assembly.empty()) {
        const std::size_t end = assembly.find('\n');
        const std::string_view line = assembly.substr(0, end);
        const auto hook = hooks().find(called(line));
        if (hook == hooks().end()) out += line;
        else out += '\t' + hook->second;
        out += '\n';
        assembly.remove_prefix(end == std::string_view::npos ? assembly.size() : end + 1);
    }
    return out;
}

} // namespace gradus::simt
