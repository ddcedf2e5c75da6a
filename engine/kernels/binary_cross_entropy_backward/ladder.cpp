#include "engine/kernels/binary_cross_entropy_backward/ladder.hpp"

namespace gradus::binary_cross_entropy_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"p", "y", "dz", n}}}};
}

constexpr double tolerance = 2e-7;

} // namespace

/// 1 / n, a difference and a product, each rounded once: 3 · 2⁻²⁴ = 1.8e-7 together.
Ladder ladder() {
    Ladder ladder{.id = "binary_cross_entropy_backward", .title = "Gradient of sigmoid and binary cross-entropy", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "p", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "dz", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("binary_cross_entropy_backward_naive", problem, block, block.x); },
         tolerance, 75, {{"p", load, sectors_per_request, 4}, {"y", load, sectors_per_request, 4}, {"dz", store, sectors_per_request, 4},
                 {"dz", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("binary_cross_entropy_backward_vectorised", problem, block, 4 * block.x); },
         tolerance, 75, {{"p", load, sectors_per_request, 16}, {"y", load, sectors_per_request, 16}, {"dz", store, sectors_per_request, 16},
                 {"dz", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::binary_cross_entropy_backward
