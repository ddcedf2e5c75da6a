#include "engine/kernels/bias_gelu/ladder.hpp"

namespace gradus::bias_gelu {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan two_launches(const Problem& problem, Dim3 block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    const Dim3 grid{pieces(columns, block.x), pieces(rows, block.y)};
    return {{{.name = "z", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage}},
            {{"bias_gelu_two_launches_add", grid, block, 0, {"x", "b", "z", rows, columns}},
             {"bias_gelu_two_launches_gelu", grid, block, 0, {"z", "y", rows, columns}}}};
}

/// Each thread with so many neighbours of a row.
KernelPlan fused(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{}, {{kernel, {pieces(columns, elements * block.x), pieces(rows, block.y)}, block, 0, {"x", "b", "y", rows, columns}}}};
}

/// erfcf is off by up to 4 units in the last place, 5e-7. Its argument is rounded three times, which it hands on times z²: 2e-6 for a
/// single z of -3; where there are many elements, those with a large y are off by less.
constexpr double tolerance = 3e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "bias_gelu", .title = "Bias and GELU", .sizes = {{"rows", 128, {1, 7, 33, 100}}, {"columns", 512, {1, 31, 100, 257}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "b", .sizes = {columns}},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    constexpr double tensor = 4 * 128 * 512; // bytes
    ladder.rungs = {
        {"1_two_launches", "Two launches", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}}, two_launches,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"z", store, sectors_per_request, 4},
                         {"z", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"z", store, bytes, tensor}, {"z", load, bytes, tensor}}},
        {"2_fused", "Fused into one launch", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return fused("bias_gelu_fused", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                         {"x", load, bytes, tensor}, {"y", store, bytes, tensor}}},
        {"3_vectorised", "Sixteen bytes at a time", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return fused("bias_gelu_vectorised", problem, block, 4); },
         tolerance, 75, {{"x", load, sectors_per_request, 16}, {"b", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16},
                         {"x", load, bytes, tensor}, {"y", store, bytes, tensor}}},
    };
    return ladder;
}

} // namespace gradus::bias_gelu
