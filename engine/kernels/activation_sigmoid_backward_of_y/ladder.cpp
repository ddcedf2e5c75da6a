#include "engine/kernels/activation_sigmoid_backward_of_y/ladder.hpp"

namespace gradus::activation_sigmoid_backward_of_y {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"y", "dy", "dx", n}}}};
}

constexpr double tolerance = 2e-7;

} // namespace

/// Three roundings, 3 · 2⁻²⁴ = 1.8e-7 together.
Ladder ladder() {
    Ladder ladder{.id = "activation_sigmoid_backward_of_y", .title = "Gradient of the sigmoid, from its output", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "dy", .sizes = {n}},
                {.name = "dx", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_sigmoid_backward_of_y_naive", problem, block, block.x); },
         tolerance, 75, {{"y", load, sectors_per_request, 4}, {"dy", load, sectors_per_request, 4}, {"dx", store, sectors_per_request, 4},
                 {"dx", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_sigmoid_backward_of_y_vectorised", problem, block, 4 * block.x); },
         tolerance, 75, {{"y", load, sectors_per_request, 16}, {"dy", load, sectors_per_request, 16}, {"dx", store, sectors_per_request, 16},
                 {"dx", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::activation_sigmoid_backward_of_y
