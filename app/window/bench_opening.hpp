#pragma once

#include "app/cli/bench/bench.hpp"

namespace gradus {

/// How long one waits for a kernel: until every rung is open, with its kernel compiled and without, until one block of a large product is,
/// and for a step forwards and back in the theatre there. By the clock; takes minutes.
std::vector<cli::BenchRow> bench_opening(int& argc, char** argv);

} // namespace gradus
