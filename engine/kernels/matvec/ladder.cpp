#include "engine/kernels/matvec/ladder.hpp"

namespace gradus::matvec {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A grid of so many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows) {
    const int M = static_cast<int>(problem.at("M")), K = static_cast<int>(problem.at("K"));
    return {{}, {{kernel, {pieces(M, rows)}, block, 0, {"A", "x", "y", M, K}}}};
}

KernelPlan block_each(const Problem& problem, Dim3 block) {
    const int M = static_cast<int>(problem.at("M")), K = static_cast<int>(problem.at("K"));
    return {{}, {{"matvec_block", {M}, block, 0, {"A", "x", "y", K}}}};
}

/// A chain of K roundings of half a unit in the last place each adds up like a random walk, to about √K · 2⁻²⁴ = 2e-6 for K = 1024. Where y
/// is one element, its terms may cancel to a fiftieth of their norm. A wrong element of A or x shows as 1e-2 and more.
constexpr double tolerance = 1e-4;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matvec", .title = "Matrix times vector", .sizes = {{"M", 256, {1, 7, 33, 100}}, {"K", 1024, {1, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), K = problem.at("K");
        return {{.name = "A", .sizes = {M, K}},
                {.name = "x", .sizes = {K}},
                {.name = "y", .sizes = {M}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("matvec_naive", problem, block, block.x); },
         tolerance, 75, {{"A", load, sectors_per_request, 32}, {"x", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("matvec_warp", problem, block, block.y); },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 1}}},
        {"3_block", "A block for each row", {{256}, {32}, {64}, {128}, {96}, {1024}}, block_each,
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 1},
                         {"parts", load, wavefronts_per_request, 1}, {"parts", store, wavefronts_per_request, 1}}},
        {"4_vectorised", "Sixteen bytes at a time", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("matvec_vectorised", problem, block, block.y); },
         tolerance, 75, {{"A", load, sectors_per_request, 16}, {"x", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::matvec
