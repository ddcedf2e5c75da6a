#include "engine/kernels/softmax/ladder.hpp"

namespace gradus::softmax {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A grid of so many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows_per_block) {
    const int rows = static_cast<int>(problem.at("rows")), columns = static_cast<int>(problem.at("columns"));
    return {{}, {{kernel, {pieces(rows, rows_per_block)}, block, 0, {"x", "y", rows, columns}}}};
}

/// x − max is rounded by up to 2⁻²⁴ · |x − max|, which exp hands on: up to 5 · 2⁻²⁴ for the large elements, which make up the norm; exp
/// and the division add up to 4 · 2⁻²⁴, the chain of the sum about √columns · 2⁻²⁴. Together 2e-6 for 512 columns.
constexpr double tolerance = 2e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "softmax", .title = "Softmax of rows", .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 512, {1, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "y", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each row, three passes", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("softmax_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"y", store, sectors_per_request, 32}}},
        {"2_online", "Maximum and sum in one pass", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("softmax_online", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 32}, {"y", store, sectors_per_request, 32}}},
        {"3_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("softmax_warp", problem, block, block.y); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}}},
        {"4_block", "A block for each row", {{256}, {32}, {64}, {128}, {96}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("softmax_block", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                         {"maxima", load, wavefronts_per_request, 1}, {"maxima", store, wavefronts_per_request, 1},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}}},
        {"5_vectorised", "Sixteen bytes at a time", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("softmax_vectorised", problem, block, block.y); },
         tolerance, 75, {{"x", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16}}},
    };
    return ladder;
}

} // namespace gradus::softmax
