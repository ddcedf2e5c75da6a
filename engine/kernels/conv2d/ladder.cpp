#include "engine/kernels/conv2d/ladder.hpp"

#include <string>

namespace gradus::conv2d {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int N, C, H, W, O, kernel, stride, padding;
    int out(int size) const { return (size + 2 * padding - kernel) / stride + 1; } ///< positions of the window along an axis
    int Ho() const { return out(H); }
    int Wo() const { return out(W); }
};

Shape shape_of(const Problem& problem) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {dim("N"), dim("C"), dim("H"), dim("W"), dim("O"), dim("kernel"), dim("stride"), dim("padding")};
}

KernelPlan launch(const std::string& name, const Shape& s, Dim3 grid, Dim3 block, std::int64_t shared_bytes) {
    return {{}, {{name, grid, block, shared_bytes, {"x", "weight", "b", "y", s.C, s.H, s.W, s.O, s.kernel, s.stride, s.padding, s.Ho(), s.Wo()}}}};
}

/// A block for so many outputs of one channel of one image.
Dim3 over_planes(const Shape& s, Dim3 block) { return {pieces(s.Wo(), block.x), pieces(s.Ho(), block.y), s.N * s.O}; }

KernelPlan tiled(const Problem& problem, Dim3 block) {
    const Shape s = shape_of(problem);
    const std::int64_t width = (block.x - 1) * s.stride + s.kernel, height = (block.y - 1) * s.stride + s.kernel;
    return launch("conv2d_tiled", s, over_planes(s, block), block, 4 * width * height);
}

KernelPlan implicit_gemm(const Problem& problem, Dim3 block) {
    const Shape s = shape_of(problem);
    const Dim3 grid{pieces(s.Ho() * s.Wo(), block.x), pieces(s.O, block.y), s.N};
    return launch("conv2d_implicit_gemm<" + std::to_string(block.x) + ">", s, grid, block, 0);
}

/// A chain of 144 roundings adds up like a random walk, to about √144 · 2⁻²⁴ = 7e-7; the rest is for a y of very few elements, whose sums
/// may nearly cancel.
constexpr double tolerance = 5e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "conv2d",
                  .title = "Convolution of images",
                  .sizes = {{"N", 1, {2, 3}}, {"C", 16, {1, 3}}, {"H", 8, {5, 17}}, {"W", 32, {7, 33}}, {"O", 32, {1, 5, 33}}, {"kernel", 3, {1, 2, 5}}, {"stride", 1, {2, 3}}, {"padding", 1, {0, 2}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const Shape s = shape_of(problem);
        return {{.name = "x", .sizes = {s.N, s.C, s.H, s.W}},
                {.name = "weight", .sizes = {s.O, s.C, s.kernel, s.kernel}},
                {.name = "b", .sizes = {s.O}},
                {.name = "y", .sizes = {s.N, s.O, s.Ho(), s.Wo()}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    constexpr double tile_bytes = 4. * 32 * 16 * 8 * 32; // of x: 32 blocks, 16 channels, of the tile's 10 × 34 those 8 × 32 inside
    ladder.rungs = {
        {"1_direct", "By the definition", {{32, 8}, {16, 16}, {32, 1}, {8, 8}, {32, 32}},
         [](const Problem& problem, Dim3 block) {
             const Shape s = shape_of(problem);
             return launch("conv2d_direct", s, over_planes(s, block), block, 0);
         },
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"weight", load, sectors_per_request, 1}, {"b", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4}}},
        {"2_tiled", "A tile of the image in shared memory", {{32, 8}, {16, 16}, {32, 1}, {8, 8}, {32, 32}}, tiled,
         tolerance, 75, {{"x", load, sectors_per_request, 2.5}, {"x", load, bytes, tile_bytes}, {"weight", load, sectors_per_request, 1}, {"b", load, sectors_per_request, 1},
                         {"y", store, sectors_per_request, 4}, {"tile", load, wavefronts_per_request, 1}, {"tile", store, wavefronts_per_request, 1}}},
        {"3_implicit_gemm", "As a matrix product", {{32, 32}, {16, 16}}, implicit_gemm,
         tolerance, 75, {{"x", load, sectors_per_request, 4}, {"weight", load, sectors_per_request, 3.6}, {"b", load, sectors_per_request, 1}, {"y", store, sectors_per_request, 4},
                         {"weight_tile", load, wavefronts_per_request, 1}, {"weight_tile", store, wavefronts_per_request, 1},
                         {"column_tile", load, wavefronts_per_request, 1}, {"column_tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::conv2d
