#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace gradus::simt {

/// What a program, and each that it starts, may take.
struct ToolLimits {
    std::chrono::seconds time;
    std::uint64_t memory = std::uint64_t{4} << 30; ///< bytes of address space of each process
    std::uint64_t file = std::uint64_t{1} << 30;   ///< bytes of each file that is written
};

/// How a program ended that was run to its end.
struct ToolEnd {
    int code = 0;          ///< its exit code; 127: it is not there; -1: stopped by a signal, or by us
    bool too_long = false; ///< it did not end in time and was stopped
    bool too_much = false; ///< it wrote more than 4 MiB and was stopped
    std::string output;    ///< standard output and standard error, at most 4 MiB
};

/// Runs a program, found by PATH, with these words and nothing on its standard input. No shell reads them. Its messages are English. It and
/// what it starts end with this process, however that ends: gradus-simt stands between (tool_main.hpp). With a folder, its temporary files lie there.
/// Throws UnavailableError where there is no gradus-simt, Interrupted where a stop is requested before the program ends, which it then does.
ToolEnd run_tool(const std::vector<std::string>& words, const ToolLimits& limits, const std::string& temporary_folder = {}, const std::stop_token& stop = {});

} // namespace gradus::simt
