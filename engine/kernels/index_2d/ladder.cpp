#include "engine/kernels/index_2d/ladder.hpp"

namespace gradus::index_2d {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan over_matrix(const char* kernel, const Problem& problem, Dim3 block, bool row_from_x) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    const Dim3 grid = row_from_x ? Dim3{pieces(rows, block.x), pieces(columns, block.y)} : Dim3{pieces(columns, block.x), pieces(rows, block.y)};
    return {{}, {{kernel, grid, block, 0, {"x", "bias", "y", rows, columns}}}};
}

} // namespace

/// Every element is one sum, rounded once: in double and then to float it comes out the same.
Ladder ladder() {
    Ladder ladder{
        .id = "index_2d", .title = "Indices of a matrix", .sizes = {{"rows", 256, {1, 15, 33, 96}}, {"columns", 256, {1, 17, 100, 160}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "bias", .sizes = {columns}},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_row_from_x", "The row from x", {{16, 16}, {32, 8}, {8, 32}, {32, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_matrix("index_2d_row_from_x", problem, block, true); },
         0, 75, {{"x", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16}, {"bias", load, sectors_per_request, 1}}},
        {"2_column_from_x", "The column from x", {{16, 16}, {32, 8}, {8, 32}, {32, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_matrix("index_2d_column_from_x", problem, block, false); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"bias", load, sectors_per_request, 2}}},
    };
    return ladder;
}

} // namespace gradus::index_2d
