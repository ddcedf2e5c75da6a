#include "engine/kernels/max_pool2d/ladder.hpp"

namespace gradus::max_pool2d {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A block for so many windows of a plane.
KernelPlan over_planes(const char* kernel, const Problem& problem, Dim3 block) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    const int planes = dim("planes"), H = dim("H"), W = dim("W");
    return {{}, {{kernel, {pieces(W / 2, block.x), pieces(H / 2, block.y), planes}, block, 0, {"x", "y", "switches", H, W}}}};
}

} // namespace

/// A choice: exact.
Ladder ladder() {
    Ladder ladder{.id = "max_pool2d", .title = "Largest of 2 × 2", .sizes = {{"planes", 16, {1, 3}}, {"H", 64, {2, 5, 33}}, {"W", 64, {2, 3, 65}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t planes = problem.at("planes"), H = problem.at("H"), W = problem.at("W");
        return {{.name = "x", .sizes = {planes, H, W}},
                {.name = "y", .sizes = {planes, H / 2, W / 2}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "switches", .type = ElementType::i32, .sizes = {planes, H / 2, W / 2}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread for each window", {{32, 8}, {16, 16}, {64, 4}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_planes("max_pool2d_naive", problem, block); },
         0, 75, {{"x", load, sectors_per_request, 8}, {"x", load, requests, 4 * 16 * 32}, {"y", store, sectors_per_request, 4}, {"switches", store, sectors_per_request, 4}}},
        {"2_pairs", "A row of a window is a float2", {{32, 8}, {16, 16}, {64, 4}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_planes("max_pool2d_pairs", problem, block); },
         0, 75, {{"x", load, sectors_per_request, 8}, {"x", load, requests, 2 * 16 * 32}, {"y", store, sectors_per_request, 4}, {"switches", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::max_pool2d
