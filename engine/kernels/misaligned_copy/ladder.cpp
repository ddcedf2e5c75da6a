#include "engine/kernels/misaligned_copy/ladder.hpp"

#include <string>

namespace gradus::misaligned_copy {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// The rung whose first thread copies that element. The last warp's lanes wrap round: n − 32 + offset … n − 1 and 0 … offset − 1 lie in as
/// many sectors as any other's 32 neighbours.
Rung with_offset(int number, int offset, const char* title, double sectors) {
    const std::string name = std::to_string(offset);
    return {std::to_string(number) + "_offset_" + name, title, {{256}, {32}, {100}, {1024}},
            [name](const Problem& problem, Dim3 block) -> KernelPlan {
                const int n = static_cast<int>(problem.at("n"));
                return {{}, {{"misaligned_copy_" + name, {pieces(n, block.x)}, block, 0, {"x", "y", n}}}};
            },
            0, 75, {{"x", load, sectors_per_request, sectors}, {"y", store, sectors_per_request, sectors}}};
}

} // namespace

/// Elements are moved, not computed: exact.
Ladder ladder() {
    Ladder ladder{.id = "misaligned_copy", .title = "Copy with an offset", .sizes = {{"n", 65536, {1, 3, 31, 257, 1000, 4099}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x", .sizes = {n}}, {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {with_offset(1, 1, "One element late", 5), with_offset(2, 4, "Four elements late", 5), with_offset(3, 8, "Eight elements late", 4),
                    with_offset(4, 0, "Where it should", 4)};
    return ladder;
}

} // namespace gradus::misaligned_copy
