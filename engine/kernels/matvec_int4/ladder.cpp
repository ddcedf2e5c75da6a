#include "engine/kernels/matvec_int4/ladder.hpp"

namespace gradus::matvec_int4 {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A grid of so many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows) {
    const int M = static_cast<int>(problem.at("M")), K = static_cast<int>(problem.at("K"));
    return {{}, {{kernel, {pieces(M, rows)}, block, 0, {"weights", "scales", "zeros", "x", "y", M, K}}}};
}

/// One rounding for a weight and one for each sum; K of them add up like a random walk, to about √K · 2⁻²⁴ = 2e-6 for K = 1024. Where y
/// is one element, its terms may cancel to a fiftieth of their norm. A wrong weight shows as 1e-3 and more.
constexpr double tolerance = 1e-4;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matvec_int4",
                  .title = "4-bit weights times vector",
                  .sizes = {{"M", 256, {1, 7, 33, 100}}, {"K", 1024, {1, 31, 33, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), K = problem.at("K"), groups = pieces(K, 32);
        return {{.name = "weights", .type = ElementType::u8, .sizes = {M, 16 * groups}, .fill = KernelBuffer::Fill::index, .scale = 256},
                {.name = "scales", .sizes = {M, groups}, .fill = KernelBuffer::Fill::uniform, .scale = 0.1},
                {.name = "zeros", .type = ElementType::u8, .sizes = {M, groups}, .fill = KernelBuffer::Fill::index, .scale = 16},
                {.name = "x", .sizes = {K}},
                {.name = "y", .sizes = {M}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("matvec_int4_naive", problem, block, block.x); },
         tolerance, 75, {{"weights", load, sectors_per_request, 32}, {"scales", load, sectors_per_request, 32},
                         {"zeros", load, sectors_per_request, 32}, {"x", load, sectors_per_request, 1},
                         {"y", store, sectors_per_request, 4}}},
        {"2_packed", "Eight weights in a word", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("matvec_int4_packed", problem, block, block.x); },
         tolerance, 75, {{"weights", load, sectors_per_request, 32}, {"scales", load, sectors_per_request, 32},
                         {"zeros", load, sectors_per_request, 32}, {"x", load, sectors_per_request, 1},
                         {"y", store, sectors_per_request, 4}}},
        {"3_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("matvec_int4_warp", problem, block, block.y); },
         tolerance, 75, {{"weights", load, sectors_per_request, 4}, {"scales", load, sectors_per_request, 1},
                         {"zeros", load, sectors_per_request, 1}, {"x", load, sectors_per_request, 32},
                         {"y", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::matvec_int4
