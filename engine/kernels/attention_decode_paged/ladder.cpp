#include "engine/kernels/attention_decode_paged/ladder.hpp"

#include "engine/kernels/legal_size.hpp"

#include <cmath>
#include <string>

namespace gradus::attention_decode_paged {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int B, H, T, D, table_columns;
    float scale;
};

Shape shape_of(const Problem& problem) {
    const auto size = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {size("B"), size("H"), size("T"), size("D"), pieces(size("T"), page_keys), 1 / std::sqrt(static_cast<float>(size("D")))};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const auto [B, H, T, D, table_columns, scale] = shape_of(problem);
    return {{}, {{"attention_decode_paged_naive", {H, B}, block, std::int64_t{4} * T, {"q", "K_pages", "V_pages", "block_table", "last", "O", table_columns, D, scale}}}};
}

KernelPlan split_k(const Problem& problem, Dim3 block) {
    const auto [B, H, T, D, table_columns, scale] = shape_of(problem);
    require_one_of("attention_decode_paged/2_split_k", "D", D, {32, 64});
    constexpr int piece_pages = 2; // for a GPU and long sequences more: as many pieces as keep all SMs busy
    const int splits = pieces(table_columns, piece_pages);
    const auto part = [](const char* name, std::vector<std::int64_t> sizes) {
        return KernelBuffer{.name = name, .sizes = std::move(sizes), .fill = KernelBuffer::Fill::garbage};
    };
    return {{part("part_max", {B, H, splits}), part("part_sum", {B, H, splits}), part("part_o", {B, H, splits, D})},
            {{"attention_decode_paged_split<" + std::to_string(D) + ">", {pieces(splits, block.y), H, B}, block, 0,
              {"q", "K_pages", "V_pages", "block_table", "last", "part_max", "part_sum", "part_o", table_columns, splits, piece_pages, scale}},
             {"attention_decode_paged_combine", {H, B}, {D}, 0, {"part_max", "part_sum", "part_o", "last", "O", splits, piece_pages, D}}}};
}

/// A score is a sum of D products, off by about √D · 2⁻²⁴ = 5e-7 for D = 64, which exp hands on; sums over up to 500 keys are off by about
/// √500 · 2⁻²⁴ = 1.3e-6. The rest is for an O in which values nearly cancel.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "attention_decode_paged",
                  .title = "Attention while decoding, paged cache",
                  .sizes = {{"B", 4, {1, 3}}, {"H", 2, {1, 3}}, {"T", 256, {1, 16, 33, 500}}, {"D", 64, {32}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), H = problem.at("H"), T = problem.at("T"), D = problem.at("D");
        const std::int64_t table_columns = pieces(T, page_keys), pages = B * table_columns;
        // Pages are drawn with replacement: some are shared, some belong to no sequence.
        return {{.name = "q", .sizes = {B, H, D}},
                {.name = "K_pages", .sizes = {pages, page_keys, H, D}},
                {.name = "V_pages", .sizes = {pages, page_keys, H, D}},
                {.name = "block_table", .type = ElementType::i32, .sizes = {B, table_columns}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(pages)},
                {.name = "last", .type = ElementType::i32, .sizes = {B}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(T)},
                {.name = "O", .sizes = {B, H, D}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A block for each query", {{128}, {32}, {64}, {256}, {1024}}, naive,
         tolerance, 75, {{"q", load, sectors_per_request, 1}, {"block_table", load, sectors_per_request, 1}, {"last", load, sectors_per_request, 1}, {"V_pages", load, sectors_per_request, 4},
                         {"O", store, sectors_per_request, 4}, {"scores", load, wavefronts_per_request, 1}, {"scores", store, wavefronts_per_request, 1}}},
        {"2_split_k", "The pages are split among warps", {{32, 4}, {32, 1}, {32, 8}, {32, 32}}, split_k,
         tolerance, 75, {{"q", load, sectors_per_request, 4}, {"block_table", load, sectors_per_request, 1}, {"last", load, sectors_per_request, 1},
                         {"K_pages", load, sectors_per_request, 4}, {"V_pages", load, sectors_per_request, 4},
                         {"part_max", store, sectors_per_request, 1}, {"part_max", load, sectors_per_request, 1}, {"part_sum", store, sectors_per_request, 1}, {"part_sum", load, sectors_per_request, 1},
                         {"part_o", store, sectors_per_request, 4}, {"part_o", load, sectors_per_request, 4}, {"O", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::attention_decode_paged
