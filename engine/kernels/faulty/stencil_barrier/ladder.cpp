#include "engine/kernels/faulty/stencil_barrier/ladder.hpp"

#include "engine/kernels/stencil/ladder.hpp"

#include <string>

namespace gradus::faulty::stencil_barrier {

FaultyLadder ladder() {
    FaultyLadder out;
    Ladder& ladder = out.ladder;
    const Ladder right = stencil::ladder();
    ladder.id = "faulty/stencil_barrier", ladder.title = "Stencil through shared memory";
    ladder.sizes = right.sizes, ladder.buffers = right.buffers, ladder.reference = right.reference;
    for (ProblemSize& size : ladder.sizes) size.odd.clear();
    ladder.rungs = {{"1_no_barrier", "Without the barrier", {{256}, {64}, {512}, {1024}},
                     [](const Problem& problem, Dim3 block) -> KernelPlan {
                         const std::int64_t radius = problem.at("radius");
                         return {{}, {{"stencil_no_barrier<" + std::to_string(radius) + ">", {pieces(problem.at("n"), block.x)}, block, 4 * (block.x + 2 * radius),
                                       {"x", "y", static_cast<int>(problem.at("n"))}}}};
                     },
                     5e-7}};
    out.faults = {{"threads add what others have yet to load"}};
    return out;
}

} // namespace gradus::faulty::stencil_barrier
