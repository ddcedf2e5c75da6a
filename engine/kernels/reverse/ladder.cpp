#include "engine/kernels/reverse/ladder.hpp"

namespace gradus::reverse {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, std::int64_t shared_bytes) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, block.x)}, block, shared_bytes, {"x", "y", n}}}};
}

/// A copy first; then pairs, of which a single element has none.
KernelPlan in_place(const Problem& problem, Dim3 block) {
    const int n = static_cast<int>(problem.at("n"));
    KernelPlan plan = over_elements("reverse_in_place_copy", problem, block, 0);
    if (n > 1) plan.steps.push_back({"reverse_in_place", {pieces(n / 2, block.x)}, block, 0, {"y", n}});
    return plan;
}

} // namespace

/// Elements are moved, not computed: exact.
Ladder ladder() {
    Ladder ladder{.id = "reverse", .title = "Reversal", .sizes = {{"n", 65536, {1, 2, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread moves one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("reverse_naive", problem, block, 0); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}}},
        {"2_in_place", "In place, by pairs", {{256}, {32}, {100}, {512}, {1024}}, in_place,
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}}},
        {"3_shared", "Each block through shared memory", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("reverse_shared", problem, block, 4 * block.x); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"tile", load, wavefronts_per_request, 1},
                 {"tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::reverse
