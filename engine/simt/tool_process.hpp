#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gradus::simt {

/// How a program ended that was run to its end.
struct ToolEnd {
    int code = 0;          ///< its exit code; 127: it is not there; -1: stopped by a signal, or by us
    bool too_long = false; ///< it did not end in time and was stopped
    std::string output;    ///< standard output and standard error, at most 4 MiB
};

/// Runs a program, found by PATH, with these words and nothing on its standard input. No shell reads them.
ToolEnd run_tool(const std::vector<std::string>& words, std::chrono::seconds at_most);

} // namespace gradus::simt
