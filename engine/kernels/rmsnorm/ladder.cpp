#include "engine/kernels/rmsnorm/ladder.hpp"

namespace gradus::rmsnorm {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// A grid of so many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows_per_block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{}, {{kernel, {pieces(rows, rows_per_block)}, block, 0, {"x", "gamma", "y", "rrms", rows, columns, epsilon}}}};
}

KernelPlan block_per_row(const Problem& problem, Dim3 block) {
    return {{}, {{"rmsnorm_block", {dim(problem, "rows")}, block, 0, {"x", "gamma", "y", "rrms", dim(problem, "columns"), epsilon}}}};
}

/// A sum of squares keeps its digits: a chain of 512 roundings is off by 512 · 2⁻²⁴ at most and by about √512 · 2⁻²⁴ = 1.4e-6 in practice,
/// of which the root takes half; quotient, root and two products add up to 4 · 2⁻²⁴.
constexpr double tolerance = 1.5e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "rmsnorm",
                  .title = "Normalisation by the root mean square",
                  .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 512, {1, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "gamma", .sizes = {columns}},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "rrms", .sizes = {rows}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each row, two passes", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("rmsnorm_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"gamma", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 32}, {"rrms", store, sectors_per_request, 4}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("rmsnorm_warp", problem, block, block.y); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"rrms", store, sectors_per_request, 1}}},
        {"3_block", "A block for each row", {{256}, {32}, {64}, {128}, {96}, {1024}}, block_per_row,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"rrms", store, sectors_per_request, 1},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}}},
        {"4_vectorised", "Sixteen bytes at a time", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("rmsnorm_vectorised", problem, block, block.y); },
         tolerance, 75, {{"x", load, sectors_per_request, 16}, {"gamma", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16}, {"rrms", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::rmsnorm
