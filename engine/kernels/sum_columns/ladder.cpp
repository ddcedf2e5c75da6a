#include "engine/kernels/sum_columns/ladder.hpp"

namespace gradus::sum_columns {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// So many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows_per_block) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    return {{}, {{kernel, {pieces(rows, rows_per_block)}, block, 0, {"x", "y", rows, columns}}}};
}

/// A chain of 256 roundings adds up like a random walk, to about √256 · 2⁻²⁴ = 1e-6 of the largest partial sum, and the sum itself may be
/// a few times smaller than that; much smaller only where there are very few sums.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "sum_columns", .title = "Sum of the columns", .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 256, {1, 31, 100, 257}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}}, {.name = "y", .sizes = {rows}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each row", {{128}, {32}, {100}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("sum_columns_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"y", store, sectors_per_request, 4}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("sum_columns_warp", problem, block, block.y); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::sum_columns
