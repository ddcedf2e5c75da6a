#include "engine/kernels/branch_switch/ladder.hpp"

namespace gradus::branch_switch {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// A thread for each element, in whole groups of so many.
KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, int group) {
    const int n = dim(problem, "n");
    return {{}, {{kernel, {pieces(std::int64_t{group} * pieces(n, group), block.x)}, block, 0, {"x", "y", n, dim(problem, "k")}}}};
}

KernelPlan shared(const Problem& problem, Dim3 block) {
    const int n = dim(problem, "n"), k = dim(problem, "k");
    return {{}, {{"branch_switch_shared", {pieces(n, 32 * k)}, block, 132 * k, {"x", "y", n, k}}}};
}

/// What is expected of the accesses, and of the lanes on each way. The line of the last way is that of all ways' end, too.
std::vector<Expected> and_ways(std::vector<Expected> accesses, double lanes) {
    for (const char* way : {"case 0:", "case 1:", "case 2:", "case 3:", "case 4:", "case 5:", "case 6:"}) accesses.push_back({way, branch, active_lanes, lanes});
    return accesses;
}

/// At most two roundings for each element, each of at most 2⁻²⁴ of it, for all terms are positive and 1 − v is rounded once.
constexpr double tolerance = 1.5e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "branch_switch", .title = "Branch of k ways", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}, {"k", 8, {1, 2, 3, 4}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.branches = true;
    ladder.rungs = {
        {"1_by_thread", "By the thread", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("branch_switch_by_thread", problem, block, 1); },
         tolerance, 75, and_ways({{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"x", load, requests, 2048}}, 4)},
        {"2_by_warp", "By the warp", {{256}, {32}, {96}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("branch_switch_by_warp", problem, block, 32 * dim(problem, "k")); },
         tolerance, 75, and_ways({{"x", load, sectors_per_request, 32}, {"y", store, sectors_per_request, 32}, {"x", load, requests, 2048}}, 32)},
        {"3_shared", "By the warp, out of shared memory", {{256}, {32}, {96}, {512}, {1024}}, shared,
         tolerance, 75, and_ways({{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"x", load, requests, 2048},
                                  {"tile", load, wavefronts_per_request, 1}, {"tile", store, wavefronts_per_request, 1}}, 32)},
    };
    return ladder;
}

} // namespace gradus::branch_switch
