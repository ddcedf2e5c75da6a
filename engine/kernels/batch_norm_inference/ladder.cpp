#include "engine/kernels/batch_norm_inference/ladder.hpp"

namespace gradus::batch_norm_inference {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// A block for so many places of so many planes.
Dim3 over_planes(const Problem& problem, Dim3 block) { return {pieces(dim(problem, "S"), block.x), pieces(problem.at("N") * problem.at("C"), block.y)}; }

KernelPlan naive(const Problem& problem, Dim3 block) {
    return {{}, {{"batch_norm_inference_naive", over_planes(problem, block), block, 0,
                  {"x", "gamma", "beta", "mean", "variance", "y", dim(problem, "N"), dim(problem, "C"), dim(problem, "S"), epsilon}}}};
}

KernelPlan folded(const Problem& problem, Dim3 block) {
    const int N = dim(problem, "N"), C = dim(problem, "C"), S = dim(problem, "S");
    return {{{.name = "scale", .sizes = {C}, .fill = KernelBuffer::Fill::garbage}, {.name = "shift", .sizes = {C}, .fill = KernelBuffer::Fill::garbage}},
            {{"batch_norm_inference_folded_line", {pieces(C, 32)}, {32}, 0, {"gamma", "beta", "mean", "variance", "scale", "shift", C, epsilon}},
             {"batch_norm_inference_folded", over_planes(problem, block), block, 0, {"x", "scale", "shift", "y", N, C, S}}}};
}

/// Five roundings of half a unit in the last place, 3e-7, where nothing cancels; folded, x · scale and shift cancel where x is near the mean,
/// and in a y of very few elements that may be all there is.
constexpr double tolerance = 3e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "batch_norm_inference",
                  .title = "Batch normalisation after training",
                  .sizes = {{"N", 8, {1, 3}}, {"C", 32, {1, 5, 33}}, {"S", 128, {1, 7, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t N = problem.at("N"), C = problem.at("C"), S = problem.at("S");
        return {{.name = "x", .sizes = {N, C, S}},
                {.name = "gamma", .sizes = {C}},
                {.name = "beta", .sizes = {C}},
                {.name = "mean", .sizes = {C}},
                {.name = "variance", .sizes = {C}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {N, C, S}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "By the definition", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}}, naive,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 1}, {"beta", load, sectors_per_request, 1},
                         {"mean", load, sectors_per_request, 1}, {"variance", load, sectors_per_request, 1}}},
        {"2_folded", "Folded into one multiply-add", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}}, folded,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"scale", load, sectors_per_request, 1}, {"shift", load, sectors_per_request, 1},
                         {"gamma", load, sectors_per_request, 4}, {"beta", load, sectors_per_request, 4}, {"mean", load, sectors_per_request, 4}, {"variance", load, sectors_per_request, 4},
                         {"scale", store, sectors_per_request, 4}, {"shift", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::batch_norm_inference
