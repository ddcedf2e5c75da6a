#include "engine/kernels/attention_decode/ladder.hpp"

#include "engine/kernels/legal_size.hpp"

#include <cmath>
#include <string>

namespace gradus::attention_decode {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int BH, T, D;
    float scale;
};

Shape shape_of(const Problem& problem) {
    const auto size = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {size("BH"), size("T"), size("D"), 1 / std::sqrt(static_cast<float>(size("D")))};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, scale] = shape_of(problem);
    return {{}, {{"attention_decode_naive", {BH}, block, std::int64_t{4} * T, {"q", "K", "V", "O", T, D, scale}}}};
}

KernelPlan split_k(const Problem& problem, Dim3 block) {
    const auto [BH, T, D, scale] = shape_of(problem);
    require_one_of("attention_decode/2_split_k", "D", D, {32, 64, 128});
    constexpr int piece_keys = 32; // for a GPU and long sequences more: as many pieces as keep all SMs busy
    const int splits = pieces(T, piece_keys);
    const auto part = [&](const char* name, std::vector<std::int64_t> sizes) {
        return KernelBuffer{.name = name, .sizes = std::move(sizes), .fill = KernelBuffer::Fill::garbage};
    };
    return {{part("part_max", {BH, splits}), part("part_sum", {BH, splits}), part("part_o", {BH, splits, D})},
            {{"attention_decode_split<" + std::to_string(D) + ">", {pieces(splits, block.y), BH}, block, 0,
              {"q", "K", "V", "part_max", "part_sum", "part_o", T, splits, piece_keys, scale}},
             {"attention_decode_combine", {BH}, {D}, 0, {"part_max", "part_sum", "part_o", "O", splits, D}}}};
}

/// A score is a sum of D products, off by about √D · 2⁻²⁴ = 7e-7 for D = 128, which exp hands on; sums over up to 1000 keys are off by about
/// √1000 · 2⁻²⁴ = 2e-6. The rest is for an O in which values nearly cancel.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "attention_decode", .title = "Attention while decoding", .sizes = {{"BH", 4, {1, 3}}, {"T", 256, {1, 33, 100, 1000}}, {"D", 64, {32, 128}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t BH = problem.at("BH"), T = problem.at("T"), D = problem.at("D");
        return {{.name = "q", .sizes = {BH, D}},
                {.name = "K", .sizes = {BH, T, D}},
                {.name = "V", .sizes = {BH, T, D}},
                {.name = "O", .sizes = {BH, D}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    constexpr double cache = 262144; // bytes of K, and of V: 4 · 256 · 64 · 4
    ladder.rungs = {
        {"1_naive", "A block for each query", {{128}, {32}, {64}, {256}, {1024}}, naive,
         tolerance, 75, {{"q", load, sectors_per_request, 1}, {"K", load, sectors_per_request, 32}, {"K", load, bytes, cache}, {"V", load, sectors_per_request, 4}, {"V", load, bytes, cache},
                         {"O", store, sectors_per_request, 4}, {"scores", load, wavefronts_per_request, 1}, {"scores", store, wavefronts_per_request, 1}}},
        {"2_split_k", "The keys are split among warps", {{32, 4}, {32, 1}, {32, 8}, {32, 32}}, split_k,
         tolerance, 75, {{"q", load, sectors_per_request, 4}, {"K", load, sectors_per_request, 4}, {"K", load, bytes, cache}, {"V", load, sectors_per_request, 4}, {"V", load, bytes, cache},
                         {"part_max", store, sectors_per_request, 1}, {"part_max", load, sectors_per_request, 1}, {"part_sum", store, sectors_per_request, 1}, {"part_sum", load, sectors_per_request, 1},
                         {"part_o", store, sectors_per_request, 4}, {"part_o", load, sectors_per_request, 4}, {"O", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::attention_decode
