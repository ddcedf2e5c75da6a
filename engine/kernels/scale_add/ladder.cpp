#include "engine/kernels/scale_add/ladder.hpp"

namespace gradus::scale_add {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {a, "x", "y", "z", n}}}};
}

/// Rounded once: 2⁻²⁴ = 6e-8.
constexpr double tolerance = 1e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "scale_add", .title = "Scaled sum", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}},
                {.name = "y", .sizes = {n}},
                {.name = "z", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("scale_add_naive", problem, block, block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"y", load, sectors_per_request, 4}, {"z", store, sectors_per_request, 4},
                         {"x", load, requests, 65536 / 32}, {"z", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("scale_add_vectorised", problem, block, 4 * block.x); },
         tolerance, 75, {{"x", load, sectors_per_request, 16}, {"y", load, sectors_per_request, 16}, {"z", store, sectors_per_request, 16},
                         {"x", load, requests, 65536 / 128}, {"z", store, requests, 65536 / 128}}},
    };
    return ladder;
}

} // namespace gradus::scale_add
