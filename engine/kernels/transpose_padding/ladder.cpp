#include "engine/kernels/transpose_padding/ladder.hpp"

#include <string>

namespace gradus::transpose_padding {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

} // namespace

/// A move: exact.
Ladder ladder() {
    Ladder ladder{
        .id = "transpose_padding", .title = "Transpose with padding", .sizes = {{"rows", 256, {1, 31, 33, 100}}, {"columns", 256, {1, 32, 65, 97}}, {"padding", 1, {0, 2, 3, 4}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}}, {.name = "y", .sizes = {columns, rows}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_tile", "A tile with columns that nobody touches", {{32, 8}, {32, 32}, {32, 16}, {32, 4}},
         [](const Problem& problem, Dim3 block) -> KernelPlan {
             const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
             const std::string kernel = "transpose_padding<" + std::to_string(problem.at("padding")) + ">";
             return {{}, {{kernel, {pieces(columns, 32), pieces(rows, 32)}, block, 0, {"x", "y", rows, columns}}}};
         },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"tile", load, wavefronts_per_request, 1}, {"tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::transpose_padding
