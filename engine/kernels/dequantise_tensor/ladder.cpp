#include "engine/kernels/dequantise_tensor/ladder.hpp"

namespace gradus::dequantise_tensor {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// A thread for so many elements each.
KernelPlan over_elements(const char* kernel, const Problem& problem, Dim3 block, int each) {
    const int n = static_cast<int>(problem.at("n"));
    return {{}, {{kernel, {pieces(n, std::int64_t{each} * block.x)}, block, 0, {"q", "scale", "y", n}}}};
}

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "dequantise_tensor", .title = "Dequantise per tensor", .sizes = {{"n", 65536, {1, 3, 31, 1027}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "q", .type = ElementType::i8, .sizes = {n}, .scale = 40},
                {.name = "scale", .sizes = {1}, .fill = KernelBuffer::Fill::uniform, .scale = 0.1},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = { // one product, rounded once, as the reference's is: equal
        {"1_naive", "One thread makes one number", {{256}, {32}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("dequantise_tensor_naive", problem, block, 1); },
         0, 75, {{"q", load, sectors_per_request, 1}, {"scale", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4}}},
        {"2_vectorised", "Four neighbours per thread", {{256}, {32}, {128}, {1024}},
         [](const Problem& problem, Dim3 block) { return over_elements("dequantise_tensor_vectorised", problem, block, 4); },
         0, 75, {{"q", load, sectors_per_request, 4}, {"scale", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 16}}},
    };
    return ladder;
}

} // namespace gradus::dequantise_tensor
