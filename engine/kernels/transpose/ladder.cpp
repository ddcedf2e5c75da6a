#include "engine/kernels/transpose/ladder.hpp"

namespace gradus::transpose {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// One block for each tile of so many rows and columns.
KernelPlan over_tiles(const char* kernel, const Problem& problem, Dim3 block, int tile_rows, int tile_columns) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{}, {{kernel, {pieces(columns, tile_columns), pieces(rows, tile_rows)}, block, 0, {"x", "y", rows, columns}}}};
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "transpose", .title = "Transpose", .sizes = {{"rows", 256, {1, 31, 33, 100}}, {"columns", 256, {1, 32, 65, 97}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "y", .sizes = {columns, rows}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread moves one element", {{32, 8}, {32, 32}, {16, 16}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_tiles("transpose_naive", problem, block, block.y, block.x); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 32}}},
        {"2_tiled", "Through a tile in shared memory", {{32, 8}, {32, 32}, {32, 16}, {32, 4}},
         [](const Problem& problem, Dim3 block) { return over_tiles("transpose_tiled", problem, block, 32, 32); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"tile", load, wavefronts_per_request, 32}, {"tile", store, wavefronts_per_request, 1}}},
        {"3_padded", "One column of padding", {{32, 8}, {32, 32}, {32, 16}, {32, 4}},
         [](const Problem& problem, Dim3 block) { return over_tiles("transpose_padded", problem, block, 32, 32); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"tile", load, wavefronts_per_request, 1}, {"tile", store, wavefronts_per_request, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::transpose
