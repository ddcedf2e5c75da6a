#include "engine/kernels/index_3d/ladder.hpp"

namespace gradus::index_3d {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan over_image(const char* kernel, const Problem& problem, Dim3 block, bool flat) {
    const int C = static_cast<int>(problem.at("C")), H = static_cast<int>(problem.at("H")), W = static_cast<int>(problem.at("W"));
    const Dim3 grid = flat ? Dim3{pieces(C * H * W, block.x)} : Dim3{pieces(W, block.x), pieces(H, block.y), pieces(C, block.z)};
    return {{}, {{kernel, grid, block, 0, {"x", "bias", "y", C, H, W}}}};
}

} // namespace

/// Every element is one sum, rounded once: in double and then to float it comes out the same.
Ladder ladder() {
    Ladder ladder{.id = "index_3d", .title = "Indices of an image", .sizes = {{"C", 16, {1, 3, 5}}, {"H", 32, {1, 7, 31}}, {"W", 64, {1, 17, 33, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t C = problem.at("C"), H = problem.at("H"), W = problem.at("W");
        return {{.name = "x", .sizes = {C, H, W}},
                {.name = "bias", .sizes = {C}},
                {.name = "y", .sizes = {C, H, W}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_flat", "One flat index, taken apart", {{256}, {32}, {100}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_image("index_3d_flat", problem, block, true); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"bias", load, sectors_per_request, 1}}},
        {"2_three_axes", "An axis of the grid for each axis", {{32, 8, 1}, {16, 4, 4}, {8, 8, 8}, {64, 4, 2}, {32, 32, 1}},
         [](const Problem& problem, Dim3 block) { return over_image("index_3d_three_axes", problem, block, false); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"bias", load, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::index_3d
