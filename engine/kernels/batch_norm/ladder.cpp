#include "engine/kernels/batch_norm/ladder.hpp"

#include <string>

namespace gradus::batch_norm {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// Statistics with so many channels for each block, then the launch that normalises.
KernelPlan two_launches(const std::string& kernel, const Problem& problem, Dim3 block, int channels) {
    const int N = dim(problem, "N"), C = dim(problem, "C"), S = dim(problem, "S");
    return {{}, {{kernel + "_statistics", {pieces(C, channels)}, block, 0, {"x", "mean", "rstd", N, C, S, epsilon}},
                 {kernel + "_normalise", {pieces(S, 32), pieces(std::int64_t{N} * C, 8)}, {32, 8}, 0, {"x", "mean", "rstd", "gamma", "beta", "y", N, C, S}}}};
}

KernelPlan fused(const Problem& problem, Dim3 block) {
    const int N = dim(problem, "N"), C = dim(problem, "C"), S = dim(problem, "S");
    return {{}, {{"batch_norm_fused", {C}, block, 0, {"x", "gamma", "beta", "y", "mean", "rstd", N, C, S, epsilon}}}};
}

/// A chain of 1024 roundings adds up like a random walk, to about √1024 · 2⁻²⁴ = 2e-6; what it does to a mean is seen once more in x − mean.
constexpr double tolerance = 5e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "batch_norm", .title = "Batch normalisation", .sizes = {{"N", 8, {1, 3}}, {"C", 32, {1, 5, 33}}, {"S", 128, {1, 7, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t N = problem.at("N"), C = problem.at("C"), S = problem.at("S");
        // Not around zero: the elements of a channel might nearly cancel in its mean.
        return {{.name = "x", .sizes = {N, C, S}, .fill = KernelBuffer::Fill::uniform, .scale = 4},
                {.name = "gamma", .sizes = {C}},
                {.name = "beta", .sizes = {C}},
                {.name = "y", .sizes = {N, C, S}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "mean", .sizes = {C}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "rstd", .sizes = {C}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each channel's statistics", {{32}, {64}, {100}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return two_launches("batch_norm_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 68. / 3}, {"gamma", load, sectors_per_request, 1}, {"beta", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4},
                         {"mean", store, sectors_per_request, 4}, {"mean", load, sectors_per_request, 1}, {"rstd", store, sectors_per_request, 4}, {"rstd", load, sectors_per_request, 1}}},
        {"2_block", "A block for each channel's statistics", {{256}, {32}, {96}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return two_launches("batch_norm_block", problem, block, 1); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 1}, {"beta", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4},
                         {"mean", store, sectors_per_request, 1}, {"mean", load, sectors_per_request, 1}, {"rstd", store, sectors_per_request, 1}, {"rstd", load, sectors_per_request, 1},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}, {"squares", load, wavefronts_per_request, 1}, {"squares", store, wavefronts_per_request, 1}}},
        {"3_fused", "One launch", {{256}, {32}, {96}, {128}, {1024}}, fused,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 1}, {"beta", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4},
                         {"mean", store, sectors_per_request, 1}, {"rstd", store, sectors_per_request, 1},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}, {"squares", load, wavefronts_per_request, 1}, {"squares", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::batch_norm
