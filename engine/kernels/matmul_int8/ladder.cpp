#include "engine/kernels/matmul_int8/ladder.hpp"

#include <string>

namespace gradus::matmul_int8 {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

KernelPlan over_elements(const std::string& kernel, const Problem& problem, Dim3 block) {
    const int M = static_cast<int>(problem.at("M")), N = static_cast<int>(problem.at("N")), K = static_cast<int>(problem.at("K"));
    return {{}, {{kernel, {pieces(N, block.x), pieces(M, block.y)}, block, 0, {"A", "B", "C", M, N, K}}}};
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matmul_int8",
                  .title = "Product of int8 matrices",
                  .sizes = {{"M", 64, {1, 31, 50}}, {"N", 128, {1, 33, 100}}, {"K", 256, {1, 31, 100, 130}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .type = ElementType::i8, .sizes = {M, K}, .scale = 40},
                {.name = "B", .type = ElementType::i8, .sizes = {N, K}, .scale = 40},
                {.name = "C", .type = ElementType::i32, .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = { // whole numbers: exact
        {"1_naive", "One thread computes one element", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_elements("matmul_int8_naive", problem, block); },
         0, 75, {{"A", load, sectors_per_request, 1}, {"A", load, requests, 65536}, {"B", load, sectors_per_request, 32},
                 {"B", load, requests, 65536}, {"C", store, sectors_per_request, 4}}},
        {"2_dp4a", "Four at a time", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_elements("matmul_int8_dp4a", problem, block); },
         0, 75, {{"A", load, sectors_per_request, 1}, {"A", load, requests, 16384}, {"B", load, sectors_per_request, 32},
                 {"B", load, requests, 16384}, {"C", store, sectors_per_request, 4}}},
        {"3_tiled", "Tiles of words in shared memory", {{32, 32}, {16, 16}},
         [](const Problem& problem, Dim3 block) {
             return over_elements("matmul_int8_tiled<" + std::to_string(block.x) + ">", problem, block);
         },
         0, 75, {{"A", load, sectors_per_request, 4}, {"B", load, sectors_per_request, 4}, {"C", store, sectors_per_request, 4},
                 {"a_tile", load, wavefronts_per_request, 1}, {"a_tile", store, wavefronts_per_request, 1},
                 {"b_tile", load, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::matmul_int8
