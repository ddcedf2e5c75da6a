#include "engine/kernels/dequantise_group/ladder.hpp"

namespace gradus::dequantise_group {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A thread for so many neighbours of a row each.
KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, int each) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    const Dim3 grid{pieces(columns, std::int64_t{each} * block.x), pieces(rows, block.y)};
    return {{}, {{kernel, grid, block, 0, {"weights", "scales", "zeros", "y", rows, columns}}}};
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "dequantise_group",
                  .title = "Dequantise 4-bit groups",
                  .sizes = {{"rows", 256, {1, 7, 33}}, {"columns", 256, {1, 31, 100, 129}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns"), groups = pieces(columns, 32);
        return {{.name = "weights", .type = ElementType::u8, .sizes = {rows, 16 * groups}, .fill = KernelBuffer::Fill::index, .scale = 256},
                {.name = "scales", .sizes = {rows, groups}, .fill = KernelBuffer::Fill::uniform, .scale = 0.1},
                {.name = "zeros", .type = ElementType::u8, .sizes = {rows, groups}, .fill = KernelBuffer::Fill::index, .scale = 16},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = { // a difference of whole numbers and one product, rounded once, as the reference's is: equal
        {"1_naive", "One thread makes one number", {{32, 8}, {32, 32}, {16, 16}, {64, 4}, {256}},
         [](const Problem& problem, Dim3 block) { return over_elements("dequantise_group_naive", problem, block, 1); },
         0, 75, {{"weights", load, sectors_per_request, 1}, {"scales", load, sectors_per_request, 1},
                 {"zeros", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4}}},
        {"2_vectorised", "Four neighbours per thread", {{32, 8}, {32, 32}, {16, 16}, {64, 4}, {256}},
         [](const Problem& problem, Dim3 block) { return over_elements("dequantise_group_vectorised", problem, block, 4); },
         0, 75, {{"weights", load, sectors_per_request, 2}, {"scales", load, sectors_per_request, 1},
                 {"zeros", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 16}}},
    };
    return ladder;
}

} // namespace gradus::dequantise_group
