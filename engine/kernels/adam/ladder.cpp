#include "engine/kernels/adam/ladder.hpp"

namespace gradus::adam {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for so many elements.
KernelPlan in_blocks(const char* kernel, const Problem& problem, Dim3 block, int elements) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, elements)}, block, 0,
                  {"W", "g", "m", "v", "W_next", "m_next", "v_next", rate, keep, beta1, rest1, beta2, rest2, root, epsilon, n}}}};
}

std::vector<Expected> expected(double sectors) {
    std::vector<Expected> out;
    for (const char* name : {"W", "g", "m", "v"}) out.push_back({name, load, sectors_per_request, sectors});
    for (const char* name : {"W_next", "m_next", "v_next"}) out.push_back({name, store, sectors_per_request, sectors});
    out.push_back({"W_next", store, requests, 65536 / 32 / (sectors / 4)});
    return out;
}

constexpr double tolerance = 1e-6;

} // namespace

/// Ten roundings of half a unit in the last place at most, 6e-7, where nothing cancels.
Ladder ladder() {
    Ladder ladder{.id = "adam", .title = "Adam", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        std::vector<KernelBuffer> buffers;
        for (const char* name : {"W", "g", "m", "v"})
            buffers.push_back({.name = name, .sizes = {n}, .fill = name[0] == 'v' ? KernelBuffer::Fill::uniform : KernelBuffer::Fill::normal});
        for (const char* name : {"W_next", "m_next", "v_next"})
            buffers.push_back({.name = name, .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true});
        return buffers;
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("adam_naive", problem, block, block.x); },
         tolerance, 75, expected(4)},
        {"2_vectorised", "Sixteen bytes at a time", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return in_blocks("adam_vectorised", problem, block, 4 * block.x); },
         tolerance, 75, expected(16)},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true; // roots and quotients, too, are rounded once everywhere
    return ladder;
}

} // namespace gradus::adam
