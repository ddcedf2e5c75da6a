#include "engine/kernels/activation_gelu_tanh/ladder.hpp"

namespace gradus::activation_gelu_tanh {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// With so many blocks for n and the elements that each takes at once.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements, int (*blocks)(std::int64_t, std::int64_t)) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {blocks(n, elements)}, block, 0, {"x", "y", n}}}};
}

/// 2u is rounded five times, by up to 3e-7 of it, which exp hands on times |2u|: 2e-6 for a single x of -3; where there are many elements,
/// those with a large y are off by less. 0.044715 itself is no fp32 number.
constexpr double tolerance = 3e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "activation_gelu_tanh", .title = "GELU by the hyperbolic tangent", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_gelu_tanh_naive", problem, block, block.x, pieces); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"x", load, requests, 65536 / 32}, {"y", store, requests, 65536 / 32}}},
        {"2_grid_stride", "A loop in steps of the grid", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_gelu_tanh_grid_stride", problem, block, block.x, looping_blocks); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"x", load, requests, 65536 / 32}, {"y", store, requests, 65536 / 32}}},
        {"3_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("activation_gelu_tanh_vectorised", problem, block, 4 * block.x, looping_blocks); },
         tolerance, 75, {{"x", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16},
                 {"x", load, requests, 65536 / 128}, {"y", store, requests, 65536 / 128}}},
    };
    return ladder;
}

} // namespace gradus::activation_gelu_tanh
