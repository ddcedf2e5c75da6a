#include "engine/kernels/quantise/ladder.hpp"

namespace gradus::quantise {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// So many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int each) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{}, {{kernel, {pieces(rows, each)}, block, 0, {"x", "q", "scales", rows, columns}}}};
}

KernelPlan block_each(const Problem& problem, Dim3 block) {
    return {{}, {{"quantise_block", {dim(problem, "rows")}, block, 0, {"x", "q", "scales", dim(problem, "columns")}}}};
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "quantise", .title = "Quantise to int8", .sizes = {{"rows", 128, {1, 7, 33}}, {"columns", 512, {1, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        return {{.name = "x", .sizes = {rows, columns}},
                {.name = "q", .type = ElementType::i8, .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "scales", .sizes = {rows}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = { // maxima are exact, and divisions are rounded once, as the reference's are: equal
        {"1_naive", "One thread quantises one row", {{32}, {64}, {128}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("quantise_naive", problem, block, block.x); },
         0, 75, {{"x", load, sectors_per_request, 32}, {"q", store, sectors_per_request, 32}, {"scales", store, sectors_per_request, 4}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("quantise_warp", problem, block, block.y); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"q", store, sectors_per_request, 1}, {"scales", store, sectors_per_request, 1}}},
        {"3_block", "A block for each row", {{128}, {32}, {64}, {96}, {256}, {1024}}, block_each,
         0, 75, {{"x", load, sectors_per_request, 4}, {"q", store, sectors_per_request, 1}, {"scales", store, sectors_per_request, 1},
                 {"parts", load, wavefronts_per_request, 1}, {"parts", store, wavefronts_per_request, 1}}},
        {"4_vectorised", "Sixteen bytes at a time", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("quantise_vectorised", problem, block, block.y); },
         0, 75, {{"x", load, sectors_per_request, 16}, {"q", store, sectors_per_request, 4}, {"scales", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::quantise
