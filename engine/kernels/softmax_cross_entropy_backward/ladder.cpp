#include "engine/kernels/softmax_cross_entropy_backward/ladder.hpp"

namespace gradus::softmax_cross_entropy_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Dims {
    int B, C;
};
Dims dims(const Problem& problem) { return {static_cast<int>(problem.at("B")), static_cast<int>(problem.at("C"))}; }

constexpr double tolerance = 2e-7;

} // namespace

/// 1 / B, a difference and a product: each rounded once, 3 · 2⁻²⁴ = 1.8e-7 together.
Ladder ladder() {
    Ladder ladder{.id = "softmax_cross_entropy_backward", .title = "Gradient of softmax and cross-entropy", .sizes = {{"B", 256, {1, 7, 33, 100}}, {"C", 512, {1, 10, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), C = problem.at("C");
        return {{.name = "p", .sizes = {B, C}, .fill = KernelBuffer::Fill::uniform},
                {.name = "label", .type = ElementType::i32, .sizes = {B}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(C)},
                {.name = "dz", .sizes = {B, C}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) {
             const auto [B, C] = dims(problem);
             return KernelPlan{{}, {{"softmax_cross_entropy_backward_naive", {pieces(std::int64_t{B} * C, block.x)}, block, 0, {"p", "label", "dz", B, C}}}};
         },
         tolerance, 75, {{"p", load, sectors_per_request, 4}, {"label", load, sectors_per_request, 1}, {"dz", store, sectors_per_request, 4},
                         {"label", load, requests, 256 * 512 / 32}}},
        {"2_warp", "A warp for each row", {{32, 8}, {32, 1}, {32, 4}, {32, 32}},
         [](const Problem& problem, Dim3 block) {
             const auto [B, C] = dims(problem);
             return KernelPlan{{}, {{"softmax_cross_entropy_backward_warp", {pieces(B, block.y)}, block, 0, {"p", "label", "dz", B, C}}}};
         },
         tolerance, 75, {{"p", load, sectors_per_request, 4}, {"label", load, sectors_per_request, 1}, {"dz", store, sectors_per_request, 4},
                         {"label", load, requests, 256}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::softmax_cross_entropy_backward
