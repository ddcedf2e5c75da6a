#include "engine/kernels/fill/ladder.hpp"

namespace gradus::fill {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"y", value, n}}}};
}

} // namespace

/// A move: exact.
Ladder ladder() {
    Ladder ladder{.id = "fill", .title = "Fill", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        return {{.name = "y", .sizes = {problem.at("n")}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread writes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("fill_naive", problem, block, block.x); },
         0, 75, {{"y", store, sectors_per_request, 4}, {"y", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("fill_vectorised", problem, block, 4 * block.x); },
         0, 75, {{"y", store, sectors_per_request, 16}, {"y", store, requests, 65536 / 128}}},
    };
    return ladder;
}

} // namespace gradus::fill
