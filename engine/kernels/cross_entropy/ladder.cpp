#include "engine/kernels/cross_entropy/ladder.hpp"

namespace gradus::cross_entropy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

constexpr int no_label = 1'000'000; ///< an ignore_index that no row has, as PyTorch's -100; 0 and 1 do occur

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan two_launches(const Problem& problem, Dim3 block) {
    const int B = dim(problem, "B"), C = dim(problem, "C"), ignore_index = dim(problem, "ignore_index");
    return {{{.name = "p", .sizes = {B, C}, .fill = KernelBuffer::Fill::garbage}},
            {{"cross_entropy_two_launches_softmax", {pieces(B, block.x)}, block, 0, {"z", "p", B, C}},
             {"cross_entropy_two_launches_loss", {pieces(B, block.x)}, block, 0, {"p", "label", "loss", B, C, ignore_index}}}};
}

/// So many rows for each block.
KernelPlan over_rows(const char* kernel, const Problem& problem, Dim3 block, int rows_per_block) {
    const int B = dim(problem, "B"), C = dim(problem, "C"), ignore_index = dim(problem, "ignore_index");
    return {{}, {{kernel, {pieces(B, rows_per_block)}, block, 0, {"z", "label", "loss", B, C, ignore_index}}}};
}

/// Sums of up to 515 exponentials are off by about √515 · 2⁻²⁴ = 1.4e-6, their logarithms by as much absolutely, and losses are around 6;
/// the rest is for few classes, whose losses are smaller.
constexpr double tolerance = 2e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "cross_entropy", .title = "Cross-entropy", .sizes = {{"B", 256, {1, 7, 33, 100}}, {"C", 512, {1, 7, 100, 515}}, {"ignore_index", no_label, {0, 1}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), C = problem.at("C");
        return {{.name = "z", .sizes = {B, C}},
                {.name = "label", .type = ElementType::i32, .sizes = {B}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(C)},
                {.name = "loss", .sizes = {B}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_two_launches", "The softmax first, then the loss", {{128}, {32}, {64}, {256}, {1024}}, two_launches,
         tolerance, 75, {{"z", load, sectors_per_request, 32}, {"p", store, sectors_per_request, 32}, {"p", load, sectors_per_request, 32},
                         {"label", load, sectors_per_request, 4}, {"loss", store, sectors_per_request, 4}}},
        {"2_fused", "By the logarithm of the sum", {{128}, {32}, {64}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_rows("cross_entropy_fused", problem, block, block.x); },
         tolerance, 75, {{"z", load, sectors_per_request, 32}, {"label", load, sectors_per_request, 4}, {"loss", store, sectors_per_request, 4}}},
        {"3_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_rows("cross_entropy_warp", problem, block, block.y); },
         tolerance, 75, {{"z", load, sectors_per_request, 129. / 33}, {"label", load, sectors_per_request, 1}, {"loss", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::cross_entropy
