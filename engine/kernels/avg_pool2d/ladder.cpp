#include "engine/kernels/avg_pool2d/ladder.hpp"

namespace gradus::avg_pool2d {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A block for so many windows of a plane.
KernelPlan over_planes(const char* kernel, const Problem& problem, Dim3 block) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    const int planes = dim("planes"), H = dim("H"), W = dim("W");
    return {{}, {{kernel, {pieces(W / 2, block.x), pieces(H / 2, block.y), planes}, block, 0, {"x", "y", H, W}}}};
}

/// Three sums are rounded, each by half a unit in the last place, 2e-7; the rest is for a single mean, whose elements may nearly cancel.
constexpr double tolerance = 1e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "avg_pool2d", .title = "Mean of 2 × 2", .sizes = {{"planes", 16, {1, 3}}, {"H", 64, {2, 5, 33}}, {"W", 64, {2, 3, 65}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t planes = problem.at("planes"), H = problem.at("H"), W = problem.at("W");
        return {{.name = "x", .sizes = {planes, H, W}},
                {.name = "y", .sizes = {planes, H / 2, W / 2}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread for each window", {{32, 8}, {16, 16}, {64, 4}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_planes("avg_pool2d_naive", problem, block); },
         tolerance, 75, {{"x", load, sectors_per_request, 8}, {"x", load, requests, 4 * 16 * 32}, {"y", store, sectors_per_request, 4}}},
        {"2_pairs", "A row of a window is a float2", {{32, 8}, {16, 16}, {64, 4}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_planes("avg_pool2d_pairs", problem, block); },
         tolerance, 75, {{"x", load, sectors_per_request, 8}, {"x", load, requests, 2 * 16 * 32}, {"y", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::avg_pool2d
