#include "engine/kernels/copy_2d/ladder.hpp"

namespace gradus::copy_2d {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

} // namespace

/// A move: exact.
Ladder ladder() {
    Ladder ladder{.id = "copy_2d", .title = "Copy of a matrix", .sizes = {{"rows", 512, {1, 15, 33, 96}}, {"columns", 512, {1, 17, 100, 160}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}}, {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread moves one element", {{32, 8}, {64, 4}, {16, 16}, {8, 32}, {10, 10}},
         [](const Problem& problem, Dim3 block) -> KernelPlan {
             const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
             return {{}, {{"copy_2d", {pieces(columns, block.x), pieces(rows, block.y)}, block, 0, {"x", "y", rows, columns}}}};
         },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"x", load, requests, 512 * 512 / 32}}},
    };
    return ladder;
}

} // namespace gradus::copy_2d
