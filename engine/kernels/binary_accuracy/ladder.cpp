#include "engine/kernels/binary_accuracy/ladder.hpp"

namespace gradus::binary_accuracy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;


} // namespace

/// Counted in whole numbers; one quotient, rounded once: exact.
Ladder ladder() {
    Ladder ladder{.id = "binary_accuracy", .title = "Share of answers on the right side", .sizes = {{"n", 4096, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "z", .sizes = {n}},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "share", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_block", "A block shares the answers", {{256}, {32}, {64}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) {
             return KernelPlan{{}, {{"binary_accuracy_block", {1}, block, 4 * block.x, {"z", "y", "share", threshold, static_cast<int>(problem.at("n"))}}}};
         },
         0, 75, {{"z", load, sectors_per_request, 4}, {"y", load, sectors_per_request, 4}, {"z", load, requests, 4096 / 32}, {"share", store, requests, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::binary_accuracy
