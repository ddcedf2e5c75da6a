#include "engine/kernels/mean_squared_error/ladder.hpp"

namespace gradus::mean_squared_error {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan in_one_block(const char* kernel, const Problem& problem, Dim3 block, std::int64_t shared_bytes) {
    return {{}, {{kernel, {1}, block, shared_bytes, {"z", "y", "L", static_cast<int>(problem.at("n"))}}}};
}

constexpr double tolerance = 1e-7; // 2⁻²⁴ = 6e-8

} // namespace

/// Summed in double precision: what is left is the rounding to fp32.
Ladder ladder() {
    Ladder ladder{.id = "mean_squared_error", .title = "Mean squared error", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "z", .sizes = {n}}, {.name = "y", .sizes = {n}}, {.name = "L", .sizes = {1}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread sums all", {{1}, {32}},
         [](const Problem& problem, Dim3 block) { return in_one_block("mean_squared_error_naive", problem, block, 0); },
         tolerance, 75, {{"z", load, sectors_per_request, 1}, {"y", load, requests, 65536}, {"L", store, requests, 1}}},
        {"2_block", "A block shares the elements", {{256}, {32}, {64}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_one_block("mean_squared_error_block", problem, block, 8 * block.x); },
         tolerance, 75, {{"z", load, sectors_per_request, 4}, {"y", load, sectors_per_request, 4}, {"y", load, requests, 65536 / 32}, {"L", store, requests, 1}}},
    };
    ladder.rungs[0].exact = true; // one chain in the order of the elements
    return ladder;
}

} // namespace gradus::mean_squared_error
