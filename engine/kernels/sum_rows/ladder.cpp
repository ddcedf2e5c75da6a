#include "engine/kernels/sum_rows/ladder.hpp"

namespace gradus::sum_rows {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// So many columns for each block.
KernelPlan over_columns(const char* kernel, const Problem& problem, Dim3 block, int columns_per_block) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    return {{}, {{kernel, {pieces(columns, columns_per_block)}, block, 0, {"x", "y", rows, columns}}}};
}

/// A chain of 256 roundings adds up like a random walk, to about √256 · 2⁻²⁴ = 1e-6 of the largest partial sum, and the sum itself may be
/// a few times smaller than that; much smaller only where there are very few sums.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "sum_rows", .title = "Sum of the rows", .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 256, {1, 31, 100, 257}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}}, {.name = "y", .sizes = {columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each column", {{128}, {32}, {100}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_columns("sum_rows_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}}},
        {"2_block", "A block for 32 columns", {{32, 8}, {32, 1}, {32, 3}, {32, 16}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_columns("sum_rows_block", problem, block, 32); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}}},
    };
    ladder.rungs[0].exact = true; // one chain in the order of the rows
    return ladder;
}

} // namespace gradus::sum_rows
