#include "engine/kernels/branch_parity/ladder.hpp"

namespace gradus::branch_parity {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, int multiple) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(std::int64_t{multiple} * pieces(n, multiple), block.x)}, block, 0, {"x", "y", n}}}};
}

/// All numbers are positive: 8 roundings of at most 2⁻²⁴ of the value each are 4.8e-7.
constexpr double tolerance = 5e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "branch_parity", .title = "Branch by parity", .sizes = {{"n", 65536, {1, 31, 65, 257, 1000}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_by_thread", "Even and odd threads", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("branch_parity_by_thread", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"x", load, requests, 2 * 2048}, {"y", store, sectors_per_request, 4}, {"y", store, requests, 2 * 2048}}},
        {"2_by_warp", "Even and odd warps", {{256}, {32}, {96}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("branch_parity_by_warp", problem, block, 64); },
         tolerance, 75, {{"x", load, sectors_per_request, 8}, {"x", load, requests, 2048}, {"y", store, sectors_per_request, 8}, {"y", store, requests, 2048}}},
        {"3_select", "One way, with two sets of numbers", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("branch_parity_select", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"x", load, requests, 2048}, {"y", store, sectors_per_request, 4}, {"y", store, requests, 2048}}},
    };
    return ladder;
}

} // namespace gradus::branch_parity
