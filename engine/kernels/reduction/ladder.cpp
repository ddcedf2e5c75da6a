#include "engine/kernels/reduction/ladder.hpp"

#include <string>

namespace gradus::reduction {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// Launches until one sum is left, each block leaving one for so many elements: x -> partials -> … -> y.
KernelPlan tree(const std::string& kernel, const Problem& problem, Dim3 block, int elements, std::int64_t shared_bytes, int (*blocks_for)(std::int64_t, std::int64_t) = pieces) {
    KernelPlan plan;
    std::string from = "x";
    int n = static_cast<int>(problem.at("n"));
    for (int level = 1;; ++level) {
        const int blocks = blocks_for(n, elements);
        const std::string to = blocks == 1 ? "y" : level == 1 ? "partials" : "partials_" + std::to_string(level);
        plan.steps.push_back({kernel, {blocks}, block, shared_bytes, {from, to, n}});
        if (blocks == 1) return plan;
        plan.scratch.push_back({.name = to, .sizes = {blocks}, .fill = KernelBuffer::Fill::garbage});
        from = to;
        n = blocks;
    }
}

/// One element for each thread, one word of shared memory for each.
KernelPlan one_each(const char* kernel, const Problem& problem, Dim3 block) { return tree(kernel, problem, block, block.x, 4 * block.x); }

KernelPlan by_atomics(const std::string& kernel, const Problem& problem, Dim3 block) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel + "_clear", {1}, {1}, 0, {"y"}}, {kernel, {looping_blocks(n, block.x)}, block, 0, {"x", "y", n}}}};
}

/// What all trees do in global memory, and what a tree's steps cost in that variable in shared memory.
std::vector<Expected> of_tree(const char* shared, double load_wavefronts, double store_wavefronts, double load_requests) {
    return {{"x", load, sectors_per_request, 4}, {"partials", load, sectors_per_request, 4},
            {"partials", store, sectors_per_request, 1}, {"y", store, sectors_per_request, 1},
            {shared, load, wavefronts_per_request, load_wavefronts}, {shared, store, wavefronts_per_request, store_wavefronts},
            {shared, load, requests, load_requests}};
}

/// All terms are positive, so that each rounding an element goes through costs at most 2⁻²⁴ of the sum. They are the most for blocks of
/// 32: 64 elements by each thread, 5 steps in the warp, 5 in the first warp, 32 atomics: 106 · 2⁻²⁴ = 6.4e-6. The trees have a third of that.
constexpr double tolerance = 7e-6;
/// Of blocks of 1024: 2 elements by each thread, 5 steps in the warp, 1024 atomics: 1031 · 2⁻²⁴ = 6.2e-5.
constexpr double tolerance_of_warps = 6.5e-5;

} // namespace

/// Expected counters: with 65,536 elements and blocks of 256 the second launch has one block, as full as those of the first, or with
/// whole warps that load nothing.
Ladder ladder() {
    Ladder ladder{.id = "reduction", .title = "Sum", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        return {{.name = "x", .sizes = {problem.at("n")}, .fill = KernelBuffer::Fill::uniform},
                {.name = "y", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_modulo", "Pairs at growing distances", {{256}, {32}, {64}, {128}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return one_each("reduction_modulo", problem, block); },
         tolerance, 75, of_tree("sums", 1, 1, 257 * 95)},
        {"2_strided", "By the first threads", {{256}, {32}, {64}, {128}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return one_each("reduction_strided", problem, block); },
         tolerance, 75, of_tree("sums", 3.8, 2.75, 257 * 25)},
        {"3_sequential", "The far half onto the near half", {{256}, {32}, {64}, {128}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return one_each("reduction_sequential", problem, block); },
         tolerance, 75, of_tree("sums", 1, 1, 257 * 25)},
        {"4_first_add", "The first addition while loading", {{256}, {32}, {64}, {128}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return tree("reduction_first_add", problem, block, 2 * block.x, 4 * block.x); },
         tolerance, 75, of_tree("sums", 1, 1, 129 * 25)},
        {"5_last_warp", "The last warp on its own", {{256}, {64}, {128}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return tree("reduction_last_warp", problem, block, 2 * block.x, 4 * block.x); },
         tolerance, 75, of_tree("sums", 1, 1, 129 * 25)},
        {"6_unrolled", "No loop at all", {{256}, {64}, {128}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return tree("reduction_unrolled<" + std::to_string(block.x) + ">", problem, block, 2 * block.x, 0); },
         tolerance, 75, of_tree("sums", 1, 1, 129 * 25)},
        {"7_shuffle", "Through registers, by shuffles", {{256}, {32}, {96}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return tree("reduction_shuffle", problem, block, 2 * block.x, 0); },
         tolerance, 75, of_tree("parts", 1, 1, 129)},
        {"8_many_each", "Many elements for each thread", {{256}, {32}, {96}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return tree("reduction_many_each", problem, block, block.x, 0, looping_blocks); },
         tolerance, 75, of_tree("parts", 1, 1, 33)},
        {"9_atomic", "Blocks add to one number", {{256}, {32}, {96}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return by_atomics("reduction_atomic", problem, block); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 1}, {"y", atomic, sectors_per_request, 1},
                         {"y", atomic, requests, 32}, {"parts", load, wavefronts_per_request, 1}, {"parts", store, wavefronts_per_request, 1},
                         {"parts", load, requests, 32}, {"parts", store, requests, 32 * 8}}},
        {"10_warp_atomic", "Warps add to one number", {{256}, {32}, {96}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return by_atomics("reduction_warp_atomic", problem, block); },
         tolerance_of_warps, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 1}, {"y", atomic, sectors_per_request, 1},
                                  {"y", atomic, requests, 32 * 8}}},
    };
    return ladder;
}

} // namespace gradus::reduction
