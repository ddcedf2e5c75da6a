#include "engine/kernels/strided_copy/ladder.hpp"

#include <string>

namespace gradus::strided_copy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// The rung whose threads copy so many neighbours each.
Rung with_stride(int number, int stride, double sectors) {
    const std::string name = std::to_string(stride);
    return {std::to_string(number) + "_stride_" + name, stride == 1 ? "One element for each thread" : name + " neighbours for each thread",
            {{256}, {32}, {100}, {1024}},
            [name, stride](const Problem& problem, Dim3 block) -> KernelPlan {
                const int n = static_cast<int>(problem.at("n"));
                return {{}, {{"strided_copy_" + name, {pieces(n, stride * block.x)}, block, 0, {"x", "y", n}}}};
            },
            0, 75, {{"x", load, sectors_per_request, sectors}, {"y", store, sectors_per_request, sectors},
                    {"x", load, requests, 65536 / 32}, {"y", store, requests, 65536 / 32}}};
}

} // namespace

/// Elements are moved, not computed: exact.
Ladder ladder() {
    Ladder ladder{.id = "strided_copy", .title = "Copy with a stride", .sizes = {{"n", 65536, {1, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {with_stride(1, 32, 32), with_stride(2, 16, 32), with_stride(3, 8, 32), with_stride(4, 4, 16), with_stride(5, 2, 8), with_stride(6, 1, 4)};
    return ladder;
}

} // namespace gradus::strided_copy
