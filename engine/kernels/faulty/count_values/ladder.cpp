#include "engine/kernels/faulty/count_values/ladder.hpp"

namespace gradus::faulty::count_values {

FaultyLadder ladder() {
    FaultyLadder out;
    Ladder& ladder = out.ladder;
    ladder.id = "faulty/count_values", ladder.title = "Counts of values";
    ladder.sizes = {{"n", 4096, {}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .type = ElementType::i32, .sizes = {n}, .fill = KernelBuffer::Fill::index, .scale = 64},
                {.name = "counts", .type = ElementType::i32, .sizes = {64}, .fill = KernelBuffer::Fill::zero, .output = true}};
    };
    /// counts[v]: how many of x are v; x (n), counts (64).
    ladder.reference = [](const Problem&, KernelValues& values) {
        for (const double value : values.at("x")) ++values.at("counts")[static_cast<std::size_t>(value)];
    };
    ladder.rungs = {{"1_thread_each", "A thread for each turn of the loop", {{256}, {32}, {512}, {1024}},
                     [](const Problem& problem, Dim3 block) -> KernelPlan {
                         const int n = static_cast<int>(problem.at("n"));
                         return {{}, {{"count_values_thread_each", {pieces(n, block.x)}, block, 0, {"x", "counts", n}}}};
                     }}};
    out.faults = {{"a count is read, raised and written by several threads at once"}};
    return out;
}

} // namespace gradus::faulty::count_values
