#include "engine/kernels/stencil/ladder.hpp"

#include <string>

namespace gradus::stencil {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// So many outputs for each thread, with that much dynamic shared memory.
KernelPlan over_outputs(const char* kernel, const Problem& problem, Dim3 block, int each, std::int64_t shared_bytes) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel + ("<" + std::to_string(problem.at("radius")) + ">"), {pieces(n, each * block.x)}, block, shared_bytes, {"x", "y", n}}}};
}

/// The tile of rung 3: each thread reads its 4 + 2 · radius elements as whole float4.
std::int64_t tile_of_fours(const Problem& problem, Dim3 block) { return 16 * (block.x + pieces(4 + 2 * problem.at("radius"), 4) - 1); }

/// All terms are positive: 8 roundings for 9 terms, each of at most 2⁻²⁴ of the sum, are 4.8e-7.
constexpr double tolerance = 5e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "stencil", .title = "Stencil", .sizes = {{"n", 65536, {1, 3, 31, 257, 1000, 4099}}, {"radius", 4, {1, 2, 3}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_global", "All neighbours from global memory", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_outputs("stencil_global", problem, block, 1, 0); },
         tolerance, 75, {{"x", load, sectors_per_request, 90103.0 / 18432}, {"x", load, requests, 18432}, {"y", store, sectors_per_request, 4}}},
        {"2_shared", "Through shared memory, with a halo", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_outputs("stencil_shared", problem, block, 1, 4 * (block.x + 2 * problem.at("radius"))); },
         tolerance, 75, {{"x", load, sectors_per_request, 10750.0 / 2304}, {"x", load, requests, 2304}, {"y", store, sectors_per_request, 4},
                         {"tile", load, wavefronts_per_request, 1}, {"tile", load, requests, 9 * 2048}, {"tile", store, wavefronts_per_request, 1}}},
        {"3_registers", "Four neighbours for each thread", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_outputs("stencil_registers", problem, block, 4, tile_of_fours(problem, block)); },
         tolerance, 75, {{"x", load, sectors_per_request, 10366.0 / 2112}, {"x", load, requests, 2112}, {"y", store, sectors_per_request, 16},
                         {"tile", load, wavefronts_per_request, 4}, {"tile", load, requests, 3 * 512}, {"tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::stencil
