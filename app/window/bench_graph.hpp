#pragma once

#include "app/cli/bench/bench.hpp"

namespace gradus {

/// Graphs of many nodes: a frame of 10 000, the layout of 2000, beside QGraphicsView and dot.
void bench_graph(std::vector<cli::BenchRow>& rows);

} // namespace gradus
