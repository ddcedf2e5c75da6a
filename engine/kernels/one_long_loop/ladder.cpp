#include "engine/kernels/one_long_loop/ladder.hpp"

namespace gradus::one_long_loop {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A thread for each element, in whole groups of so many.
KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, int group) {
    const auto size = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {{}, {{kernel, {pieces(std::int64_t{group} * pieces(size("n"), group), block.x)}, block, 0, {"x", "y", size("n"), size("usual"), size("longest")}}}};
}

/// As in uneven_loops: a round's rounding shrinks to 3/4 with each further one.
constexpr double tolerance = 2.5e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "one_long_loop", .title = "One long loop in 32", .sizes = {{"n", 16384, {1, 31, 257, 1000}}, {"usual", 10, {1, 30}}, {"longest", 100, {1, 40}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_by_thread", "A thread for each element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("one_long_loop_by_thread", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"x", load, requests, 512}}},
        {"2_by_warp", "Long loops in warps of their own", {{256}, {32}, {96}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("one_long_loop_by_warp", problem, block, 1024); },
         tolerance, 75, {{"x", load, requests, 512}, {"y", store, requests, 512}}},
    };
    return ladder;
}

} // namespace gradus::one_long_loop
