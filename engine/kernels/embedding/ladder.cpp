#include "engine/kernels/embedding/ladder.hpp"

namespace gradus::embedding {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// So many tokens for each block.
KernelPlan over_tokens(const char* kernel, const Problem& problem, Dim3 block, int tokens) {
    const int T = static_cast<int>(problem.at("T")), C = static_cast<int>(problem.at("C"));
    return {{}, {{kernel, {pieces(T, tokens)}, block, 0, {"table", "index", "y", T, C}}}};
}

} // namespace

/// A move: exact.
Ladder ladder() {
    Ladder ladder{.id = "embedding", .title = "Embedding", .sizes = {{"V", 1000, {1, 7}}, {"T", 256, {1, 33, 100}}, {"C", 128, {1, 31, 130}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t V = problem.at("V"), T = problem.at("T"), C = problem.at("C");
        return {{.name = "table", .sizes = {V, C}},
                {.name = "index", .type = ElementType::i32, .sizes = {T}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(V)},
                {.name = "y", .sizes = {T, C}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "A thread for each token", {{128}, {32}, {100}, {256}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_tokens("embedding_naive", problem, block, block.x); },
         0, 75, {{"index", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 32}, {"table", load, requests, 8 * 128}}},
        {"2_warp", "A warp for each token", {{32, 8}, {32, 1}, {32, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_tokens("embedding_warp", problem, block, block.y); },
         0, 75, {{"index", load, sectors_per_request, 1}, {"table", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4},
                 {"table", load, requests, 256 * 4}}},
        {"3_vectorised", "Sixteen bytes at a time", {{32, 8}, {32, 1}, {32, 3}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return over_tokens("embedding_vectorised", problem, block, block.y); },
         0, 75, {{"index", load, sectors_per_request, 1}, {"table", load, sectors_per_request, 16}, {"y", store, sectors_per_request, 16},
                 {"table", load, requests, 256}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::embedding
