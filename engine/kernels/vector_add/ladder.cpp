#include "engine/kernels/vector_add/ladder.hpp"

namespace gradus::vector_add {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// With so many blocks for n and the elements that each takes at once.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements, int (*blocks)(std::int64_t, std::int64_t)) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {blocks(n, elements)}, block, 0, {"a", "b", "c", n}}}};
}

} // namespace

/// Every element is one sum, rounded once: in double and then to float it comes out the same, for 53 bits are more than twice 24 and two.
Ladder ladder() {
    Ladder ladder{.id = "vector_add", .title = "Vector sum", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "a", .sizes = {n}},
                {.name = "b", .sizes = {n}},
                {.name = "c", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread adds one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("vector_add_naive", problem, block, block.x, pieces); },
         0, 75, {{"a", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"c", store, sectors_per_request, 4},
                 {"a", load, requests, 65536 / 32}, {"c", store, requests, 65536 / 32}}},
        {"2_grid_stride", "A loop in steps of the grid", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("vector_add_grid_stride", problem, block, block.x, looping_blocks); },
         0, 75, {{"a", load, sectors_per_request, 4}, {"b", load, sectors_per_request, 4}, {"c", store, sectors_per_request, 4},
                 {"a", load, requests, 65536 / 32}, {"c", store, requests, 65536 / 32}}},
        {"3_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("vector_add_vectorised", problem, block, 4 * block.x, looping_blocks); },
         0, 75, {{"a", load, sectors_per_request, 16}, {"b", load, sectors_per_request, 16}, {"c", store, sectors_per_request, 16},
                 {"a", load, requests, 65536 / 128}, {"c", store, requests, 65536 / 128}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::vector_add
