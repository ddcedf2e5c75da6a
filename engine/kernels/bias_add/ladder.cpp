#include "engine/kernels/bias_add/ladder.hpp"

#include <algorithm>

namespace gradus::bias_add {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

constexpr int few = 8; ///< blocks of a grid, in y, that does not grow with the rows

/// At most so many blocks down the rows.
KernelPlan over(const char* kernel, const Problem& problem, Dim3 block, int most_blocks) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    return {{}, {{kernel, {pieces(columns, block.x), std::min(pieces(rows, block.y), most_blocks)}, block, 0, {"x", "b", "y", rows, columns}}}};
}

} // namespace

/// Every element is one sum, rounded once: in double and then to float it comes out the same, for 53 bits are more than twice 24 and two.
Ladder ladder() {
    Ladder ladder{.id = "bias_add", .title = "Bias", .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 256, {1, 31, 100, 257}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "b", .sizes = {columns}},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over("bias_add_naive", problem, block, 1 << 15); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"b", load, bytes, 4 * 256 * 256}}},
        {"2_many_rows", "A thread keeps its number", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over("bias_add_many_rows", problem, block, few); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"b", load, bytes, 4 * 256 * 8 * few}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::bias_add
