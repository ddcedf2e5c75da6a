#include "engine/kernels/binary_cross_entropy/ladder.hpp"

namespace gradus::binary_cross_entropy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// Each element's loss; then the mean, by one block of that shape.
KernelPlan elements_and_mean(const std::string& kernel, const Problem& problem, Dim3 block, Dim3 mean_block, std::int64_t shared_bytes) {
    const int n = static_cast<int>(problem.at("n"));
    return {{{.name = "losses", .sizes = {n}, .fill = KernelBuffer::Fill::garbage}},
            {{kernel, {pieces(n, block.x)}, block, 0, {"z", "y", "p", "losses", n}}, {kernel + "_mean", {1}, mean_block, shared_bytes, {"losses", "L", n}}}};
}

constexpr double tolerance = 1e-6;

} // namespace

/// expf and log1pf are off by a unit in the last place or two, and three more roundings of each loss; their sum is in double precision.
Ladder ladder() {
    Ladder ladder{.id = "binary_cross_entropy", .title = "Sigmoid and binary cross-entropy", .sizes = {{"n", 4096, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "z", .sizes = {n}},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "p", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "L", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each element, one for the mean", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return elements_and_mean("binary_cross_entropy_naive", problem, block, {1}, 0); },
         tolerance, 75, {{"z", load, sectors_per_request, 4}, {"p", store, sectors_per_request, 4}, {"losses", store, sectors_per_request, 4},
                         {"losses", load, requests, 4096}}},
        {"2_block", "A block for the mean", {{256}, {32}, {64}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return elements_and_mean("binary_cross_entropy_block", problem, block, block, 8 * block.x); },
         tolerance, 75, {{"z", load, sectors_per_request, 4}, {"p", store, sectors_per_request, 4}, {"losses", store, sectors_per_request, 4},
                         {"losses", load, requests, 4096 / 32}}},
    };
    return ladder;
}

} // namespace gradus::binary_cross_entropy
