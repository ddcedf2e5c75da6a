#include "engine/kernels/strided_read/ladder.hpp"

namespace gradus::strided_read {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

} // namespace

/// Elements are moved, not computed: exact.
Ladder ladder() {
    Ladder ladder{.id = "strided_read", .title = "Read with stride and offset", .sizes = {{"n", 65536, {1, 31, 257, 1000}}, {"stride", 1, {2, 8, 33}}, {"offset", 0, {1, 3}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n * problem.at("stride") + problem.at("offset")}},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread reads one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) -> KernelPlan {
             const int n = dim(problem, "n");
             return {{}, {{"strided_read", {pieces(n, block.x)}, block, 0, {"x", "y", n, dim(problem, "stride"), dim(problem, "offset")}}}};
         },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}, {"x", load, requests, 65536 / 32}}},
    };
    return ladder;
}

} // namespace gradus::strided_read
