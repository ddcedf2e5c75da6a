#include "engine/kernels/struct_layout/ladder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gradus::struct_layout {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// Packs the arrays into particles in a layout of these sizes, moves these and unpacks them.
KernelPlan packed(const std::string& kernel, const Problem& problem, Dim3 block, std::vector<std::int64_t> sizes) {
    const int n = static_cast<int>(problem.at("n"));
    const Dim3 grid{pieces(n, block.x)};
    return {{{.name = "particles", .sizes = std::move(sizes), .fill = KernelBuffer::Fill::garbage}},
            {{kernel + "_pack", grid, block, 0, {"x0", "y0", "z0", "mass", "particles", n}},
             {kernel, grid, block, 0, {"particles", dx, dy, dz, n}},
             {kernel + "_unpack", grid, block, 0, {"particles", "x", "y", "z", n}}}};
}

KernelPlan soa(const Problem& problem, Dim3 block) {
    const int n = static_cast<int>(problem.at("n"));
    const Dim3 grid{pieces(n, block.x)};
    return {{}, {{"struct_layout_soa_copy", grid, block, 0, {"x0", "y0", "z0", "x", "y", "z", n}},
                 {"struct_layout_soa", grid, block, 0, {"x", "y", "z", dx, dy, dz, n}}}};
}

} // namespace

/// Every coordinate is one sum, rounded once: in double and then to float it comes out the same.
Ladder ladder() {
    Ladder ladder{.id = "struct_layout", .title = "Particles", .sizes = {{"n", 32768, {1, 31, 33, 257, 1000}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t n = problem.at("n");
        return {{.name = "x0", .sizes = {n}},
                {.name = "y0", .sizes = {n}},
                {.name = "z0", .sizes = {n}},
                {.name = "mass", .sizes = {n}, .fill = KernelBuffer::Fill::uniform},
                {.name = "x", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "y", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "z", .sizes = {n}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_aos", "An array of structs", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return packed("struct_layout_aos", problem, block, {problem.at("n"), 4}); },
         0, 75, {{"particles", load, sectors_per_request, 16}, {"particles", store, sectors_per_request, 16},
                 {"x0", load, sectors_per_request, 4}, {"x", store, sectors_per_request, 4}}},
        {"2_soa", "A struct of arrays", {{256}, {32}, {100}, {512}, {1024}}, soa,
         0, 75, {{"x0", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"x", store, sectors_per_request, 4},
                 {"y", load, sectors_per_request, 4}, {"z", load, sectors_per_request, 4}}},
        {"3_aosoa", "An array of structs of arrays", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return packed("struct_layout_aosoa", problem, block, {pieces(problem.at("n"), 32), 4, 32}); },
         0, 75, {{"particles", load, sectors_per_request, 4}, {"particles", store, sectors_per_request, 4},
                 {"x0", load, sectors_per_request, 4}, {"x", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::struct_layout
