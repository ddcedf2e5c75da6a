#include "engine/kernels/activation_tanh_backward/ladder.hpp"

namespace gradus::activation_tanh_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"dy", "x", "dx", n}}}};
}

/// y is off by up to 2.4e-7, and 1 - y² by twice that, which is more of it the nearer y is to 1: 7e-6 for a single x of 2.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "activation_tanh_backward", .title = "Gradient of the hyperbolic tangent", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "dy", .sizes = {n}},
                {.name = "x", .sizes = {n}},
                {.name = "dx", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_tanh_backward_naive", problem, block, block.x); },
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"dx", store, sectors_per_request, 4},
                 {"x", load, requests, 65536 / 32}, {"dx", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_tanh_backward_vectorised", problem, block, 4 * block.x); },
         tolerance, 75, {{"dy", load, sectors_per_request, 16}, {"x", load, sectors_per_request, 16}, {"dx", store, sectors_per_request, 16},
                 {"x", load, requests, 65536 / 128}, {"dx", store, requests, 65536 / 128}}},
    };
    return ladder;
}

} // namespace gradus::activation_tanh_backward
