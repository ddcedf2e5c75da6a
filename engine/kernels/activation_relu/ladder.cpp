#include "engine/kernels/activation_relu/ladder.hpp"

namespace gradus::activation_relu {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// With so many blocks for n and the elements that each takes at once.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements, int (*blocks)(std::int64_t, std::int64_t)) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {blocks(n, elements)}, block, 0, {"x", "y", n}}}};
}

} // namespace

/// No element is rounded: exact.
Ladder ladder() {
    Ladder ladder{.id = "activation_relu", .title = "ReLU", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_relu_naive", problem, block, block.x, pieces); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"x", load, requests, 65536 / 32}, {"y", store, requests, 65536 / 32}}},
        {"2_grid_stride", "A loop in steps of the grid", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_relu_grid_stride", problem, block, block.x, looping_blocks); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"x", load, requests, 65536 / 32}, {"y", store, requests, 65536 / 32}}},
        {"3_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_relu_vectorised", problem, block, 4 * block.x, looping_blocks); },
         0, 75, {{"x", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16},
                 {"x", load, requests, 65536 / 128}, {"y", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::activation_relu
