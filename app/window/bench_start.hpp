#pragma once

#include "app/cli/bench/bench.hpp"
#include "app/window/read_ahead.hpp"

namespace gradus {

/// What bench_start() tells the processes that it starts: "bare" or "lab".
constexpr const char* start_variable = "GRADUS_BENCH_START";

/// From the start of a process to the first painted, working view, beside a bare window's.
void bench_start(std::vector<cli::BenchRow>& rows);

/// In such a process: opens the window, says when it is painted, and ends the process.
[[noreturn]] void start_once(int& argc, char** argv, LessonsReader lessons);

} // namespace gradus
