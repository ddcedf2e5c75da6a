#include "engine/kernels/count_step/ladder.hpp"

namespace gradus::count_step {

namespace {

using enum Expected::Access;
using enum Expected::Counter;


} // namespace

/// A whole number: exact.
Ladder ladder() {
    Ladder ladder{.id = "count_step", .title = "Number of the step", .sizes = {{"n", 1, {}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "t", .type = ElementType::i32, .sizes = {n}, .fill = KernelBuffer::Fill::index, .scale = 100},
                {.name = "t_next", .type = ElementType::i32, .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread counts", {{1}, {32}},
         [](const Problem&, Dim3 block) { return KernelPlan{{}, {{"count_step_naive", {1}, block, 0, {"t", "t_next"}}}}; },
         0, 75, {{"t", load, requests, 1}, {"t_next", store, requests, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::count_step
