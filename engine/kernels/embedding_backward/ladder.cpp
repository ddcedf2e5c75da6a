#include "engine/kernels/embedding_backward/ladder.hpp"

namespace gradus::embedding_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan atomic_sums(const Problem& problem, Dim3 block) {
    const int V = dim(problem, "V"), T = dim(problem, "T"), C = dim(problem, "C");
    return {{}, {{"embedding_backward_atomic_clear", {pieces(std::int64_t{V} * C, 256)}, {256}, 0, {"dtable", V * C}},
                 {"embedding_backward_atomic", {pieces(T, block.y)}, block, 0, {"dy", "index", "dtable", T, C}}}};
}

KernelPlan columns(const Problem& problem, Dim3 block) {
    const int V = dim(problem, "V"), T = dim(problem, "T"), C = dim(problem, "C");
    return {{}, {{"embedding_backward_column", {pieces(C, block.x)}, block, 0, {"dy", "index", "dtable", V, T, C}}}};
}

KernelPlan rows(const Problem& problem, Dim3 block) {
    return {{}, {{"embedding_backward_row", {dim(problem, "V")}, block, 0, {"dy", "index", "dtable", dim(problem, "T"), dim(problem, "C")}}}};
}

/// A row gets T / V terms on average, in any order where atomics add them: 4 in the usual problem, up to 256 where V is 1: about
/// √256 · 2⁻²⁴ = 1e-6. The rest is for a dtable of very few elements, whose sums may nearly cancel.
constexpr double tolerance = 5e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "embedding_backward", .title = "Gradient of the embedding", .sizes = {{"V", 64, {1, 7, 1000}}, {"T", 256, {1, 33, 100}}, {"C", 128, {1, 31, 130}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t V = problem.at("V"), T = problem.at("T"), C = problem.at("C");
        return {{.name = "dy", .sizes = {T, C}},
                {.name = "index", .type = ElementType::i32, .sizes = {T}, .fill = KernelBuffer::Fill::index, .scale = static_cast<double>(V)},
                {.name = "dtable", .sizes = {V, C}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    constexpr double tensor = 256 * 4, table = 64 * 4; // requests of full warps for dy, and for dtable
    ladder.rungs = {
        {"1_atomic", "Every token adds by atomics", {{32, 8}, {32, 1}, {32, 3}, {32, 32}}, atomic_sums,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"index", load, sectors_per_request, 1}, {"dtable", store, sectors_per_request, 4},
                         {"dtable", atomic, sectors_per_request, 4}, {"dtable", atomic, requests, tensor}, {"dtable", store, requests, table}}},
        {"2_column", "A thread for each column", {{32}, {64}, {100}, {128}, {1024}}, columns,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"index", load, sectors_per_request, 1}, {"dtable", load, sectors_per_request, 4},
                         {"dtable", store, sectors_per_request, 4}, {"dtable", load, requests, tensor}, {"dtable", store, requests, table + tensor}}},
        {"3_row", "A block for each row of the table", {{128}, {32}, {100}, {256}, {1024}}, rows,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"index", load, sectors_per_request, 1}, {"dtable", store, sectors_per_request, 4},
                         {"dy", load, requests, tensor}, {"index", load, requests, 64 * 4 * 256}, {"dtable", store, requests, table}}},
    };
    return ladder;
}

} // namespace gradus::embedding_backward
