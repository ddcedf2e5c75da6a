#include "engine/kernels/softmax_cross_entropy/ladder.hpp"

#include <string>

namespace gradus::softmax_cross_entropy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// So many rows for each block; then the mean, by so many threads.
KernelPlan rows_and_mean(const std::string& kernel, const Problem& problem, Dim3 block, int rows_per_block, int threads) {
    const int B = static_cast<int>(problem.at("B")), C = static_cast<int>(problem.at("C"));
    return {{{.name = "losses", .sizes = {B}, .fill = KernelBuffer::Fill::garbage}},
            {{kernel, {pieces(B, rows_per_block)}, block, 0, {"z", "label", "p", "losses", B, C}},
             {kernel + "_mean", {1}, {threads}, 0, {"losses", "L", B}}}};
}

/// Probabilities are off by some 2e-6, as the softmax's (see there); a chain of 256 losses by √256 · 2⁻²⁴ = 1e-6.
constexpr double tolerance = 3e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "softmax_cross_entropy", .title = "Softmax and cross-entropy", .sizes = {{"B", 256, {1, 7, 33, 100}}, {"C", 512, {1, 10, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), C = problem.at("C");
        return {{.name = "z", .sizes = {B, C}},
                {.name = "label", .type = ElementType::i32, .sizes = {B}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(C)},
                {.name = "p", .sizes = {B, C}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "L", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each row, one for the mean", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return rows_and_mean("softmax_cross_entropy_naive", problem, block, block.x, 1); },
         tolerance, 75, {{"z", load, sectors_per_request, 32}, {"p", store, sectors_per_request, 32}, {"label", load, sectors_per_request, 4},
                         {"losses", store, sectors_per_request, 4}, {"losses", load, sectors_per_request, 1}, {"L", store, sectors_per_request, 1}}},
        {"2_warp", "A warp for each row, one for the mean", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return rows_and_mean("softmax_cross_entropy_warp", problem, block, block.y, 32); },
         tolerance, 75, {{"z", load, sectors_per_request, 193. / 49}, {"p", store, sectors_per_request, 4}, {"label", load, sectors_per_request, 1},
                         {"losses", store, sectors_per_request, 1}, {"losses", load, sectors_per_request, 4}, {"L", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::softmax_cross_entropy
