#include "engine/kernels/attention_backward/ladder.hpp"

#include "engine/kernels/legal_size.hpp"

#include <cmath>
#include <string>

namespace gradus::attention_backward {

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

KernelBuffer scratch(const char* name, std::vector<std::int64_t> sizes) {
    return {.name = name, .sizes = std::move(sizes), .fill = KernelBuffer::Fill::garbage};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, causal, scale] = shape_of(problem);
    const std::vector<std::int64_t> square{BH, T, T};
    const Dim3 over_d{pieces(D, block.x), pieces(T, block.y), BH};
    return {{scratch("S", square), scratch("dP", square), scratch("P", square), scratch("dS", square)},
            {{"attention_backward_naive_scores", {pieces(T, block.x), pieces(T, block.y), BH}, block, 0, {"Q", "K", "V", "dO", "S", "dP", T, D, scale, causal}},
             {"attention_backward_naive_softmax", {pieces(std::int64_t{BH} * T, 128)}, {128}, 0, {"S", "dP", "P", "dS", BH, T, causal}},
             {"attention_backward_naive_dkdv", over_d, block, 0, {"Q", "dO", "P", "dS", "dK", "dV", T, D, scale, causal}},
             {"attention_backward_naive_dq", over_d, block, 0, {"K", "dS", "dQ", T, D, scale, causal}}}};
}

KernelPlan flash(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, causal, scale] = shape_of(problem);
    require_one_of("attention_backward/2_flash", "D", D, {32, 64});
    const std::string of_d = "<" + std::to_string(D) + ">", of_both = "<" + std::to_string(D) + ", " + std::to_string(block.y) + ">";
    const Dim3 over_queries{pieces(std::int64_t{BH} * T, block.y)}, over_tiles{pieces(T, 32), BH};
    return {{scratch("O", {BH, T, D}), scratch("L", {BH, T}), scratch("delta", {BH, T})},
            {{"attention_backward_flash_forward" + of_d, over_queries, block, 0, {"Q", "K", "V", "O", "L", BH, T, scale, causal}},
             {"attention_backward_flash_delta", over_queries, block, 0, {"O", "dO", "delta", BH, T, D}},
             {"attention_backward_flash_dkdv" + of_both, over_tiles, block, 0, {"Q", "K", "V", "dO", "L", "delta", "dK", "dV", T, scale, causal}},
             {"attention_backward_flash_dq" + of_both, over_tiles, block, 0, {"Q", "K", "V", "dO", "L", "delta", "dQ", T, scale, causal}}}};
}

/// Scores and dP are chains of D fmaf, off by about √D · 2⁻²⁴ = 5e-7 for D = 64; sums over up to 100 queries or keys are off by about
/// √100 · 2⁻²⁴ = 6e-7. dP − delta loses digits where one probability is nearly 1, and all of them where T = 1.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "attention_backward",
                  .title = "Gradients of attention",
                  .sizes = {{"BH", 2, {1, 3}}, {"T", 64, {1, 7, 33, 100}}, {"D", 32, {64}}, {"causal", 0, {1}}}};
    ladder.buffers = [](const Problem& problem) {
        const std::vector<std::int64_t> sizes{problem.at("BH"), problem.at("T"), problem.at("D")};
        std::vector<KernelBuffer> buffers;
        for (const char* name : {"Q", "K", "V", "dO"}) buffers.push_back({.name = name, .sizes = sizes});
        for (const char* name : {"dQ", "dK", "dV"}) buffers.push_back({.name = name, .sizes = sizes, .fill = KernelBuffer::Fill::garbage, .output = true});
        return buffers;
    };
    ladder.reference = reference;
    // With BH = 2, T = 64 there are 2 · 2 · 2 tiles: in dkdv each of 4 warps loads L for each tile, 4 sectors; in dq once for each of 2 · 64 rows, 1.
    constexpr double l_and_delta = (8 * 4 * 4 + 128 * 1) / (8 * 4 + 128.);
    std::vector<Expected> of_flash = {{"O", store, sectors_per_request, 4}, {"O", load, sectors_per_request, 4},
                                      {"L", store, sectors_per_request, 1}, {"L", load, sectors_per_request, l_and_delta},
                                      {"delta", store, sectors_per_request, 1}, {"delta", load, sectors_per_request, l_and_delta}};
    for (const char* matrix : {"Q", "K", "V", "dO"}) of_flash.push_back({matrix, load, sectors_per_request, 4});
    for (const char* matrix : {"dQ", "dK", "dV"}) of_flash.push_back({matrix, store, sectors_per_request, 4});
    for (const char* tile : {"q_tile", "k_tile", "v_tile", "do_tile", "p_tile", "ds_tile"})
        for (const Expected::Access access : {load, store}) of_flash.push_back({tile, access, wavefronts_per_request, 1});
    ladder.rungs = {
        {"1_naive", "With stored scores and probabilities", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, naive,
         tolerance, 75, {{"Q", load, sectors_per_request, 2.5}, {"dO", load, sectors_per_request, 2.5}, {"K", load, sectors_per_request, 18}, {"V", load, sectors_per_request, 32},
                         {"S", store, sectors_per_request, 4}, {"S", load, sectors_per_request, 32}, {"dP", store, sectors_per_request, 4}, {"dP", load, sectors_per_request, 32},
                         {"P", store, sectors_per_request, 32}, {"P", load, sectors_per_request, 1}, {"dS", store, sectors_per_request, 32}, {"dS", load, sectors_per_request, 1},
                         {"dQ", store, sectors_per_request, 4}, {"dK", store, sectors_per_request, 4}, {"dV", store, sectors_per_request, 4}}},
        {"2_flash", "FlashAttention, backward", {{32, 4}, {32, 2}, {32, 8}}, flash, tolerance, 75, of_flash},
    };
    return ladder;
}

} // namespace gradus::attention_backward
