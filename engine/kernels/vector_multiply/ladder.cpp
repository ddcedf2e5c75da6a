#include "engine/kernels/vector_multiply/ladder.hpp"

namespace gradus::vector_multiply {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0, {"a", "b", "c", n}}}};
}

} // namespace

/// One operation, rounded once: in double and then to float it comes out the same, for 53 bits are more than twice 24 and two.
Ladder ladder() {
    Ladder ladder{.id = "vector_multiply", .title = "Product of vectors, element by element", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "a", .sizes = {n}},
                {.name = "b", .sizes = {n}},
                {.name = "c", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("vector_multiply_naive", problem, block, block.x); },
         0, 75, {{"a", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"c", store, sectors_per_request, 4},
                 {"c", store, requests, 65536 / 32}}},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("vector_multiply_vectorised", problem, block, 4 * block.x); },
         0, 75, {{"a", load, sectors_per_request, 16}, {"b", load, sectors_per_request, 16}, {"c", store, sectors_per_request, 16},
                 {"c", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::vector_multiply
