#include "engine/kernels/faulty/running_sum/ladder.hpp"

#include "engine/kernels/prefix_scan/ladder.hpp"

namespace gradus::faulty::running_sum {

FaultyLadder ladder() {
    FaultyLadder out;
    Ladder& ladder = out.ladder;
    ladder.id = "faulty/running_sum", ladder.title = "Running sum";
    ladder.sizes = {{"n", 4096, {}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::zero, .output = true}};
    };
    ladder.reference = prefix_scan::reference;
    ladder.rungs = {{"1_thread_each", "A thread for each turn of the loop", {{256}, {32}, {512}, {1024}},
                     [](const Problem& problem, Dim3 block) -> KernelPlan {
                         const int n = static_cast<int>(problem.at("n"));
                         return {{}, {{"running_sum_thread_each", {pieces(n, block.x)}, block, 0, {"x", "y", n}}}};
                     },
                     1e-5}};
    out.faults = {{"each turn needs what the one before wrote"}};
    return out;
}

} // namespace gradus::faulty::running_sum
