#include "engine/kernels/accuracy/ladder.hpp"

namespace gradus::accuracy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan in_one_block(const char* kernel, const Problem& problem, Dim3 block, std::int64_t shared_bytes) {
    const int B = static_cast<int>(problem.at("B")), C = static_cast<int>(problem.at("C"));
    return {{}, {{kernel, {1}, block, shared_bytes, {"z", "label", "share", B, C}}}};
}

} // namespace

/// Counted in whole numbers; one quotient, rounded once: exact.
Ladder ladder() {
    Ladder ladder{.id = "accuracy", .title = "Share of right answers", .sizes = {{"B", 1024, {1, 7, 33, 100}}, {"C", 16, {1, 10, 31}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t B = problem.at("B"), C = problem.at("C");
        return {{.name = "z", .sizes = {B, C}},
                {.name = "label", .type = ElementType::i32, .sizes = {B}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(C)},
                {.name = "share", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread asks every row", {{1}, {32}},
         [](const Problem& problem, Dim3 block) { return in_one_block("accuracy_naive", problem, block, 0); },
         0, 75, {{"z", load, sectors_per_request, 1}, {"label", load, requests, 1024}, {"share", store, requests, 1}}},
        {"2_block", "A block shares the rows", {{256}, {32}, {64}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_one_block("accuracy_block", problem, block, 4 * block.x); },
         0, 75, {{"label", load, sectors_per_request, 4}, {"label", load, requests, 1024 / 32}, {"share", store, requests, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::accuracy
