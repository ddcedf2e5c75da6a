#include "engine/kernels/faulty/reverse_in_place/ladder.hpp"

#include <algorithm>

namespace gradus::faulty::reverse_in_place {

FaultyLadder ladder() {
    FaultyLadder out;
    Ladder& ladder = out.ladder;
    ladder.id = "faulty/reverse_in_place", ladder.title = "Reversal in place";
    ladder.sizes = {{"n", 4096, {}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .output = true}};
    };
    /// x[i] becomes x[n − 1 − i]; x (n).
    ladder.reference = [](const Problem&, KernelValues& values) { std::reverse(values.at("x").begin(), values.at("x").end()); };
    ladder.rungs = {{"1_thread_each", "A thread for each turn of the loop", {{256}, {32}, {512}, {1024}},
                     [](const Problem& problem, Dim3 block) -> KernelPlan {
                         const int n = static_cast<int>(problem.at("n"));
                         return {{}, {{"reverse_in_place_thread_each", {pieces(n, block.x)}, block, 0, {"x", n}}}};
                     }}};
    out.faults = {{"each thread overwrites what another has yet to read"}};
    return out;
}

} // namespace gradus::faulty::reverse_in_place
