#include "engine/kernels/batched_matmul/ladder.hpp"

#include <string>

namespace gradus::batched_matmul {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan over_elements(const std::string& kernel, const Problem& problem, Dim3 block) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K");
    return {{}, {{kernel, {pieces(N, block.x), pieces(M, block.y), dim(problem, "batch")}, block, 0, {"A", "B", "C", M, N, K}}}};
}

/// A chain of K roundings of half a unit in the last place each adds up like a random walk, to about √K · 2⁻²⁴ = 5e-7 for K = 64. Where C
/// is one element, its terms may cancel to a fiftieth of their norm. A wrong element of A or B shows as 1e-3 and more.
constexpr double tolerance = 5e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "batched_matmul",
                  .title = "Batched matrix product",
                  .sizes = {{"batch", 4, {1, 3}}, {"M", 64, {1, 31, 50}}, {"N", 64, {1, 33, 50}}, {"K", 64, {1, 7, 33}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t batch = problem.at("batch"), M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .sizes = {batch, M, K}},
                {.name = "B", .sizes = {batch, K, N}},
                {.name = "C", .sizes = {batch, M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_elements("batched_matmul_naive", problem, block); },
         tolerance, 75, {{"A", load, sectors_per_request, 1}, {"B", load, sectors_per_request, 4}, {"C", store, sectors_per_request, 4}}},
        {"2_shared", "Tiles in shared memory", {{32, 32}, {16, 16}},
         [](const Problem& problem, Dim3 block) {
             return over_elements("batched_matmul_shared<" + std::to_string(block.x) + ">", problem, block);
         },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"B", load, sectors_per_request, 4}, {"C", store, sectors_per_request, 4},
                         {"a_tile", load, wavefronts_per_request, 1}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true; // each element is one chain of multiply-adds in the order of k
    return ladder;
}

} // namespace gradus::batched_matmul
