#include "engine/kernels/activation_step/ladder.hpp"

namespace gradus::activation_step {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"x", "y", n}}}};
}

} // namespace

/// 0 or 1: exact.
Ladder ladder() {
    Ladder ladder{.id = "activation_step", .title = "Step", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_step_naive", problem, block, block.x); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"y", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_step_vectorised", problem, block, 4 * block.x); },
         0, 75, {{"x", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16},
                 {"y", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::activation_step
