#include "engine/kernels/sgd/ladder.hpp"

namespace gradus::sgd {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"W", "g", "W_next", lr, n}}}};
}

/// Rounded once: 2⁻²⁴ = 6e-8.
constexpr double tolerance = 1e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "sgd", .title = "Gradient descent", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "W", .sizes = {n}},
                {.name = "g", .sizes = {n}},
                {.name = "W_next", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("sgd_naive", problem, block, block.x); },
         tolerance, 75, {{"W", load, sectors_per_request, 4}, {"g", load, sectors_per_request, 4}, {"W_next", store, sectors_per_request, 4},
                         {"W", load, requests, 65536 / 32}, {"W_next", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("sgd_vectorised", problem, block, 4 * block.x); },
         tolerance, 75, {{"W", load, sectors_per_request, 16}, {"g", load, sectors_per_request, 16}, {"W_next", store, sectors_per_request, 16},
                         {"W", load, requests, 65536 / 128}, {"W_next", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::sgd
