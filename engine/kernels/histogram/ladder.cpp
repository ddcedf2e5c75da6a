#include "engine/kernels/histogram/ladder.hpp"

#include <string>

namespace gradus::histogram {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// Clears the bins, then counts with so many blocks.
KernelPlan counted(const std::string& kernel, const Problem& problem, Dim3 block, int (*blocks)(std::int64_t, std::int64_t), std::int64_t shared_bytes) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel + "_clear", {1}, {256}, 0, {"bins"}},
                 {kernel, {blocks(n, block.x)}, block, shared_bytes, {"x", "bins", n}}}};
}

} // namespace

/// Whole numbers: exact.
Ladder ladder() {
    Ladder ladder{.id = "histogram", .title = "Histogram", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        return {{.name = "x", .type = ElementType::u8, .sizes = {problem.at("n")}, .fill = KernelBuffer::Fill::index, .scale = 256},
                {.name = "bins", .type = ElementType::u32, .sizes = {256}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_global", "Every byte in global memory", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return counted("histogram_global", problem, block, pieces, 0); },
         0, 75, {{"x", load, sectors_per_request, 1}, {"x", load, requests, 65536 / 32}, {"bins", store, sectors_per_request, 4},
                 {"bins", atomic, requests, 65536 / 32}}},
        {"2_shared", "A histogram for each block", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return counted("histogram_shared", problem, block, looping_blocks, 0); },
         0, 75, {{"x", load, sectors_per_request, 1}, {"x", load, requests, 65536 / 32}, {"bins", store, sectors_per_request, 4},
                 {"bins", atomic, sectors_per_request, 4}, {"bins", atomic, requests, 32 * 8}, {"counts", atomic, requests, 65536 / 32},
                 {"counts", load, wavefronts_per_request, 1}, {"counts", store, wavefronts_per_request, 1}}},
        {"3_per_warp", "A histogram for each warp", {{256}, {32}, {96}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return counted("histogram_per_warp", problem, block, looping_blocks, 32 * block.x); },
         0, 75, {{"x", load, sectors_per_request, 1}, {"x", load, requests, 65536 / 32}, {"bins", store, sectors_per_request, 4},
                 {"bins", atomic, sectors_per_request, 4}, {"bins", atomic, requests, 32 * 8}, {"counts", atomic, requests, 65536 / 32},
                 {"counts", load, wavefronts_per_request, 1}, {"counts", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::histogram
