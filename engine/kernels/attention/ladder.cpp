#include "engine/kernels/attention/ladder.hpp"

#include "engine/kernels/legal_size.hpp"

#include <cmath>
#include <string>

namespace gradus::attention {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int BH, T, D, causal;
    float scale;
};

Shape shape_of(const Problem& problem) {
    const auto size = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {size("BH"), size("T"), size("D"), size("causal"), 1 / std::sqrt(static_cast<float>(size("D")))};
}

std::vector<KernelBuffer> scores_and_probabilities(const Shape& shape) {
    const std::vector<std::int64_t> sizes{shape.BH, shape.T, shape.T};
    return {{.name = "S", .sizes = sizes, .fill = KernelBuffer::Fill::garbage}, {.name = "P", .sizes = sizes, .fill = KernelBuffer::Fill::garbage}};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, causal, scale] = shape_of(problem);
    return {scores_and_probabilities(shape_of(problem)),
            {{"attention_naive_scores", {pieces(T, block.x), pieces(T, block.y), BH}, block, 0, {"Q", "K", "S", T, D, scale, causal}},
             {"attention_naive_softmax", {pieces(std::int64_t{BH} * T, 128)}, {128}, 0, {"S", "P", "L", BH, T, causal}},
             {"attention_naive_output", {pieces(D, block.x), pieces(T, block.y), BH}, block, 0, {"P", "V", "O", T, D, causal}}}};
}

KernelPlan tiled(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, causal, scale] = shape_of(problem);
    const int side = block.x;
    const std::string of_side = "<" + std::to_string(side) + ">";
    return {scores_and_probabilities(shape_of(problem)),
            {{"attention_tiled_scores" + of_side, {pieces(T, side), pieces(T, side), BH}, block, 0, {"Q", "K", "S", T, D, scale, causal}},
             {"attention_tiled_softmax", {pieces(std::int64_t{BH} * T, 8)}, {32, 8}, 0, {"S", "P", "L", BH, T, causal}},
             {"attention_tiled_output" + of_side, {pieces(D, side), pieces(T, side), BH}, block, 0, {"P", "V", "O", T, D, causal}}}};
}

KernelPlan online(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, causal, scale] = shape_of(problem);
    require_one_of("attention/3_online", "D", D, {32, 64});
    return {{}, {{"attention_online<" + std::to_string(D) + ">", {pieces(T, block.x), BH}, block, 0, {"Q", "K", "V", "O", "L", T, scale, causal}}}};
}

KernelPlan flash(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, causal, scale] = shape_of(problem);
    require_one_of("attention/4_flash", "D", D, {32, 64});
    const std::string kernel = "attention_flash<" + std::to_string(D) + ", " + std::to_string(block.y) + ">";
    return {{}, {{kernel, {pieces(T, 32), BH}, block, 0, {"Q", "K", "V", "O", "L", T, scale, causal}}}};
}

/// A score is a chain of D fmaf, off by about √D · 2⁻²⁴ = 5e-7 for D = 64, which exp hands on; sums over up to 128 keys are off by about
/// √128 · 2⁻²⁴ = 7e-7. The rest is for an O of few elements, in which values nearly cancel.
constexpr double tolerance = 5e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "attention",
                  .title = "Attention",
                  .sizes = {{"BH", 2, {1, 3}}, {"T", 128, {1, 7, 33, 100}}, {"D", 32, {64}}, {"causal", 0, {1}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t BH = problem.at("BH"), T = problem.at("T"), D = problem.at("D");
        return {{.name = "Q", .sizes = {BH, T, D}},
                {.name = "K", .sizes = {BH, T, D}},
                {.name = "V", .sizes = {BH, T, D}},
                {.name = "O", .sizes = {BH, T, D}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "L", .sizes = {BH, T}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    // Bytes with BH = 2, T = 128, D = 32, causal = 0: one operand of a product is 2 · 128² · 32 · 4, a matrix 2 · 128 · 32 · 4, S 2 · 128² · 4.
    constexpr double product = 4194304, matrix = 32768, square = 131072, tiles = 4; // tiles: T / 32
    ladder.rungs = {
        {"1_naive", "Three launches, all scores in global memory", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, naive,
         tolerance, 75, {{"Q", load, sectors_per_request, 1}, {"Q", load, bytes, product}, {"K", load, sectors_per_request, 32}, {"K", load, bytes, product},
                         {"V", load, sectors_per_request, 4}, {"V", load, bytes, product}, {"S", store, sectors_per_request, 4}, {"S", store, bytes, square},
                         {"S", load, sectors_per_request, 32}, {"S", load, bytes, 3 * square}, {"P", store, sectors_per_request, 32}, {"P", store, bytes, square},
                         {"P", load, sectors_per_request, 1}, {"P", load, bytes, product}, {"O", store, sectors_per_request, 4}, {"L", store, sectors_per_request, 4}}},
        {"2_tiled", "Products through shared memory, softmax by warps", {{32, 32}, {16, 16}}, tiled,
         tolerance, 75, {{"Q", load, sectors_per_request, 4}, {"Q", load, bytes, tiles * matrix}, {"K", load, sectors_per_request, 4}, {"K", load, bytes, tiles * matrix},
                         {"V", load, sectors_per_request, 4}, {"V", load, bytes, tiles * matrix}, {"S", store, sectors_per_request, 4}, {"S", store, bytes, square},
                         {"S", load, sectors_per_request, 4}, {"S", load, bytes, 3 * square}, {"P", store, sectors_per_request, 4}, {"P", store, bytes, square},
                         {"P", load, sectors_per_request, 4}, {"P", load, bytes, square}, {"O", store, sectors_per_request, 4}, {"L", store, sectors_per_request, 1},
                         {"q_tile", load, wavefronts_per_request, 1}, {"q_tile", store, wavefronts_per_request, 1}, {"k_tile", load, wavefronts_per_request, 1}, {"k_tile", store, wavefronts_per_request, 1},
                         {"p_tile", load, wavefronts_per_request, 1}, {"p_tile", store, wavefronts_per_request, 1}, {"v_tile", load, wavefronts_per_request, 1}, {"v_tile", store, wavefronts_per_request, 1}}},
        {"3_online", "Online softmax, a thread for each query", {{128}, {32}, {64}, {256}}, online,
         tolerance, 75, {{"Q", load, sectors_per_request, 32}, {"Q", load, bytes, matrix}, {"K", load, sectors_per_request, 1}, {"K", load, bytes, product},
                         {"V", load, sectors_per_request, 1}, {"V", load, bytes, product}, {"O", store, sectors_per_request, 32}, {"O", store, bytes, matrix}, {"L", store, sectors_per_request, 4}}},
        {"4_flash", "FlashAttention", {{32, 4}, {32, 2}, {32, 8}}, flash,
         tolerance, 75, {{"Q", load, sectors_per_request, 4}, {"Q", load, bytes, matrix}, {"K", load, sectors_per_request, 4}, {"K", load, bytes, tiles * matrix},
                         {"V", load, sectors_per_request, 4}, {"V", load, bytes, tiles * matrix}, {"O", store, sectors_per_request, 4}, {"O", store, bytes, matrix}, {"L", store, sectors_per_request, 1},
                         {"q_tile", load, wavefronts_per_request, 1}, {"q_tile", store, wavefronts_per_request, 1}, {"k_tile", load, wavefronts_per_request, 1}, {"k_tile", store, wavefronts_per_request, 1},
                         {"v_tile", load, wavefronts_per_request, 1}, {"v_tile", store, wavefronts_per_request, 1}, {"p_tile", load, wavefronts_per_request, 1}, {"p_tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::attention
