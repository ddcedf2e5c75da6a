#include "engine/kernels/faulty/thread_index/ladder.hpp"

namespace gradus::faulty::thread_index {

namespace {

Rung with_index(const char* id, const char* title, const char* kernel) {
    return {id, title, {{256}, {64}, {128}, {512}, {1024}},
            [kernel](const Problem& problem, Dim3 block) -> KernelPlan {
                return {{}, {{kernel, {static_cast<int>(problem.at("blocks"))}, block, 0, {"x", "y", static_cast<int>(problem.at("n"))}}}};
            }};
}

} // namespace

/// Doubling is exact.
FaultyLadder ladder() {
    FaultyLadder out;
    Ladder& ladder = out.ladder;
    ladder.id = "faulty/thread_index", ladder.title = "Index of a thread";
    ladder.sizes = {{"n", 16384, {}}, {"blocks", 64, {}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    /// y[i] = 2 · x[i]; x, y (n).
    ladder.reference = [](const Problem&, KernelValues& values) {
        std::vector<double>& y = values.at("y");
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2 * values.at("x")[i];
    };
    ladder.rungs = {
        with_index("1_block_and_thread", "As it should be", "thread_index_right"),
        with_index("2_no_block_size", "The size of a block is forgotten", "thread_index_no_block_size"),
        with_index("3_grid_size", "The size of the grid in place of that of a block", "thread_index_grid_size"),
        with_index("4_one_short", "One short", "thread_index_one_short"),
        with_index("5_grid_stride", "A loop in steps of the grid", "thread_index_grid_stride"),
    };
    out.faults = {{""}, {"blocks begin one element apart"}, {"blocks begin as many elements apart as there are blocks"}, {"blocks overlap by one element"}, {""}};
    return out;
}

} // namespace gradus::faulty::thread_index
