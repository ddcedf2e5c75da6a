#include "engine/kernels/one_hot_accuracy/ladder.hpp"

namespace gradus::one_hot_accuracy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;


} // namespace

/// Counted in whole numbers; one quotient, rounded once: exact.
Ladder ladder() {
    Ladder ladder{.id = "one_hot_accuracy", .title = "Share of right answers, targets of zeros and a one", .sizes = {{"B", 1024, {1, 7, 33, 100}}, {"C", 16, {1, 10, 31}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), C = problem.at("C");
        return {{.name = "z", .sizes = {B, C}}, {.name = "y", .sizes = {B, C}}, {.name = "share", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_block", "A block shares the rows", {{256}, {32}, {64}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) {
             const int B = static_cast<int>(problem.at("B")), C = static_cast<int>(problem.at("C"));
             return KernelPlan{{}, {{"one_hot_accuracy_block", {1}, block, 4 * block.x, {"z", "y", "share", B, C}}}};
         },
         0, 75, {{"y", load, sectors_per_request, 32}, {"share", store, requests, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::one_hot_accuracy
