#pragma once

#include "app/cli/bench/bench.hpp"
#include "app/window/read_ahead.hpp"

namespace gradus {

/// What drawing costs, beside what others take for it: series, heat map, graph, layout, and the start. Makes its own
/// application, without a display where there is none.
std::vector<cli::BenchRow> bench_window(int& argc, char** argv, const LessonsReader& lessons);

} // namespace gradus
