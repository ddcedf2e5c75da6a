#pragma once

#include "engine/kernels/ladder.hpp"

#include <string>
#include <vector>

namespace gradus::gpu {

/// A problem that keeps a GPU busy, and what a ladder's kernels do for it. It does not fit into the cache, but where a ladder's work is one
/// block's, or a product's.
struct LargeProblem {
    std::string ladder;
    Problem sizes; ///< those that are not the usual ones
    /// Operations that the formula asks for, as the heads of the plainest rungs count them; an exponential is one. The same for all rungs,
    /// so that the rate follows the time alone. Null: none, elements are only moved.
    double (*flops)(const Problem&) = nullptr;
    /// Endings of kernels that only bring the ladder's arrays into a rung's own layout: their time does not count.
    std::vector<std::string> preparing = {};
};

/// One for each ladder, in any order.
const std::vector<LargeProblem>& large_problems();

/// Throws ArgumentError for a ladder that has none.
const LargeProblem& large_problem(const Ladder& ladder);

/// All that a ladder's rungs are run on: the problems of tests/kernels, then the large one.
std::vector<Problem> all_problems(const Ladder& ladder);

/// What has to be moved at least: every buffer of the ladder once. Beside a copy's rate it says how near the memory's speed a rung comes;
/// more than that rate is the cache's doing.
double least_bytes(const Ladder& ladder, const Problem& problem);

} // namespace gradus::gpu
