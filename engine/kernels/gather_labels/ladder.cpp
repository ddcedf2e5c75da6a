#include "engine/kernels/gather_labels/ladder.hpp"

namespace gradus::gather_labels {

namespace {

using enum Expected::Access;
using enum Expected::Counter;


} // namespace

/// A move: exact.
Ladder ladder() {
    Ladder ladder{.id = "gather_labels", .title = "Labels by an index", .sizes = {{"V", 1000, {1, 7}}, {"n", 65536, {1, 31, 257, 1000}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t V = problem.at("V"), n = problem.at("n");
        return {{.name = "x", .type = ElementType::i32, .sizes = {V}, .fill = KernelBuffer::Fill::index, .scale = 10},
                {.name = "index", .type = ElementType::i32, .sizes = {n}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(V)},
                {.name = "y", .type = ElementType::i32, .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread moves one label", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) {
             const int n = static_cast<int>(problem.at("n"));
             return KernelPlan{{}, {{"gather_labels_naive", {pieces(n, block.x)}, block, 0, {"x", "index", "y", n}}}};
         },
         0, 75, {{"index", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"x", load, requests, 65536 / 32}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::gather_labels
