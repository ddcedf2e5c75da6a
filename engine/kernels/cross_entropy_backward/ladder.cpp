#include "engine/kernels/cross_entropy_backward/ladder.hpp"

namespace gradus::cross_entropy_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

constexpr int no_label = 1'000'000; ///< an ignore_index that no row has, as PyTorch's -100; 0 and 1 do occur

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// For the mean of all rows.
float scale_of(const Problem& problem) { return 1 / static_cast<float>(dim(problem, "B")); }

KernelPlan two_launches(const Problem& problem, Dim3 block) {
    const int B = dim(problem, "B"), C = dim(problem, "C"), ignore_index = dim(problem, "ignore_index");
    return {{{.name = "p", .sizes = {B, C}, .fill = KernelBuffer::Fill::garbage}},
            {{"cross_entropy_backward_two_launches_softmax", {pieces(B, 128)}, {128}, 0, {"z", "p", B, C}},
             {"cross_entropy_backward_two_launches_gradient", {pieces(C, block.x), pieces(B, block.y)}, block, 0,
              {"p", "label", "dz", scale_of(problem), B, C, ignore_index}}}};
}

KernelPlan fused(const Problem& problem, Dim3 block) {
    const int B = dim(problem, "B"), C = dim(problem, "C"), ignore_index = dim(problem, "ignore_index");
    return {{}, {{"cross_entropy_backward_fused", {pieces(B, block.y)}, block, 0, {"z", "label", "dz", scale_of(problem), B, C, ignore_index}}}};
}

/// Probabilities are off by some 2e-6, as the softmax's; where the label is, p - 1 is rounded once more. The rest is for a single row whose
/// label is nearly certain.
constexpr double tolerance = 3e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "cross_entropy_backward",
                  .title = "Gradient of the cross-entropy",
                  .sizes = {{"B", 128, {1, 7, 33, 100}}, {"C", 512, {1, 7, 100, 515}}, {"ignore_index", no_label, {0, 1}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), C = problem.at("C");
        return {{.name = "z", .sizes = {B, C}},
                {.name = "label", .type = ElementType::i32, .sizes = {B}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(C)},
                {.name = "dz", .sizes = {B, C}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_two_launches", "The softmax first, then the gradient", {{32, 8}, {256}, {16, 16}, {100, 3}, {32, 32}}, two_launches,
         tolerance, 75, {{"z", load, sectors_per_request, 32}, {"p", store, sectors_per_request, 32}, {"p", load, sectors_per_request, 4},
                         {"label", load, sectors_per_request, 1}, {"dz", store, sectors_per_request, 4}}},
        {"2_fused", "A warp for each row, in one launch", {{32, 8}, {32, 1}, {32, 4}, {32, 32}}, fused,
         tolerance, 75, {{"z", load, sectors_per_request, 4}, {"label", load, sectors_per_request, 1}, {"dz", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::cross_entropy_backward
