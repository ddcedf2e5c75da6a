#include "engine/kernels/gather_bytes/ladder.hpp"

namespace gradus::gather_bytes {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// So many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows) {
    const int T = static_cast<int>(problem.at("T")), C = static_cast<int>(problem.at("C"));
    return {{}, {{kernel, {pieces(T, rows)}, block, 0, {"x", "index", "y", scale, T, C}}}};
}

} // namespace

/// A byte is exact in fp32 and so is the scale as the kernel has it: the product is rounded once, in double and then to float the same.
Ladder ladder() {
    Ladder ladder{.id = "gather_bytes", .title = "Rows of bytes as numbers", .sizes = {{"V", 1000, {1, 7}}, {"T", 256, {1, 33, 100}}, {"C", 128, {1, 31, 130}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t V = problem.at("V"), T = problem.at("T"), C = problem.at("C");
        return {{.name = "x", .type = ElementType::u8, .sizes = {V, C}, .fill = KernelBuffer::Fill::index, .scale = 256},
                {.name = "index", .type = ElementType::i32, .sizes = {T}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(V)},
                {.name = "y", .sizes = {T, C}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each row", {{128}, {32}, {100}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("gather_bytes_naive", problem, block, block.x); },
         0, 75, {{"index", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 32}, {"x", load, requests, 8 * 128}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("gather_bytes_warp", problem, block, block.y); },
         0, 75, {{"index", load, sectors_per_request, 1}, {"x", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4},
                 {"x", load, requests, 256 * 4}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::gather_bytes
