#include "engine/kernels/dequantise_channel/ladder.hpp"

namespace gradus::dequantise_channel {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A thread for so many neighbours of a row each.
KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, int each) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    const Dim3 grid{pieces(columns, std::int64_t{each} * block.x), pieces(rows, block.y)};
    return {{}, {{kernel, grid, block, 0, {"q", "scales", "y", rows, columns}}}};
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "dequantise_channel",
                  .title = "Dequantise per channel",
                  .sizes = {{"rows", 256, {1, 7, 33}}, {"columns", 256, {1, 31, 100, 129}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "q", .type = ElementType::i8, .sizes = {rows, columns}, .scale = 40},
                {.name = "scales", .sizes = {rows}, .fill = KernelBuffer::Fill::uniform, .scale = 0.1},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = { // one product, rounded once, as the reference's is: equal
        {"1_naive", "One thread makes one number", {{32, 8}, {32, 32}, {16, 16}, {64, 4}, {256}},
         [](const Problem& problem, Dim3 block) { return over_elements("dequantise_channel_naive", problem, block, 1); },
         0, 75, {{"q", load, sectors_per_request, 1}, {"scales", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4}}},
        {"2_vectorised", "Four neighbours per thread", {{32, 8}, {32, 32}, {16, 16}, {64, 4}, {256}},
         [](const Problem& problem, Dim3 block) { return over_elements("dequantise_channel_vectorised", problem, block, 4); },
         0, 75, {{"q", load, sectors_per_request, 4}, {"scales", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 16}}},
    };
    return ladder;
}

} // namespace gradus::dequantise_channel
