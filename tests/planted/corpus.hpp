#pragma once

#include "engine/simt/kernel_run.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gradus::planted {

/// A kernel with a fault in it, and what is to be said of it. Its file is its own row: `// key: value` lines in the head, and a comment
/// `// <- fault: KIND, …` at the end of each line that has to be named.
///
///   rung      what it is launched as: the ladder's buffers, reference and launches
///   set       a size of the problem, NAME=VALUE; once for each
///   block     as in a launch: 16x16
///   scale     BUFFER=FACTOR: what stands in that buffer, so many times larger
///   expect    KIND in BUFFER, BUFFER; once for each kind. KIND is a finding's, or "wrong result" (then outputs are named)
///   schedules "differ": there are two seeds that give two different outputs
///   budget    of steps of lanes
///   at most   milliseconds of the child's time
///   end       a part of the sentence with which the child ended
struct Planted {
    std::string name; ///< race/reduction_step_without_barrier
    std::string file; ///< path
    std::string rung;
    Problem sizes;
    Dim3 block{0, 0, 0};
    std::map<std::string, double> scales;
    std::map<std::string, std::set<std::string>> expected; ///< buffers by kind
    std::map<std::string, std::set<int>> lines;            ///< marked, by kind
    bool schedules_differ = false;
    std::int64_t budget = 0, at_most_ms = 0; ///< 0: the usual
    std::string end;
};

/// Throws FileError, naming file and line, for a key or a value that there is not, and for a file without a mark.
Planted read_planted(const std::string& name, const std::string& file, const std::string& text);

/// All files below tests/planted, by name.
std::vector<Planted> all_planted();

/// Runs one in the child; with all its steps, where they are wanted.
simt::KernelRun run(const Planted& planted, std::uint64_t schedule = 0, bool record = false);

/// Holds the run against the file's row, and prints what differs.
void check(const Planted& planted, const simt::KernelRun& run);

} // namespace gradus::planted
