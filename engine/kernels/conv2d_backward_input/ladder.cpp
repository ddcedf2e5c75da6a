#include "engine/kernels/conv2d_backward_input/ladder.hpp"

namespace gradus::conv2d_backward_input {

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

/// A block for so many elements of one channel of one image.
KernelPlan over_planes(const char* name, const Shape& s, Dim3 block, std::int64_t shared_bytes) {
    const Dim3 grid{pieces(s.W, block.x), pieces(s.H, block.y), s.N * s.C};
    return {{}, {{name, grid, block, shared_bytes, {"dy", "weight", "dx", s.C, s.H, s.W, s.O, s.kernel, s.stride, s.padding, s.Ho(), s.Wo()}}}};
}

KernelPlan direct(const Problem& problem, Dim3 block) { return over_planes("conv2d_backward_input_direct", shape_of(problem), block, 0); }

KernelPlan tiled(const Problem& problem, Dim3 block) {
    const Shape s = shape_of(problem);
    const std::int64_t width = (block.x + s.kernel - 2) / s.stride + 1, height = (block.y + s.kernel - 2) / s.stride + 1;
    return over_planes("conv2d_backward_input_tiled", s, block, 4 * width * height);
}

/// A chain of 144 roundings adds up like a random walk, to about √144 · 2⁻²⁴ = 7e-7; the rest is for few sums, which may nearly cancel.
constexpr double tolerance = 5e-6;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "conv2d_backward_input",
                  .title = "Gradient of a convolution's input",
                  .sizes = {{"N", 1, {2, 3}}, {"C", 32, {1, 3}}, {"H", 8, {5, 17}}, {"W", 32, {7, 33}}, {"O", 16, {1, 5, 33}}, {"kernel", 3, {1, 2, 5}}, {"stride", 1, {2, 3}}, {"padding", 1, {0, 2}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const Shape s = shape_of(problem);
        return {{.name = "dy", .sizes = {s.N, s.O, s.Ho(), s.Wo()}},
                {.name = "weight", .sizes = {s.O, s.C, s.kernel, s.kernel}},
                {.name = "dx", .sizes = {s.N, s.C, s.H, s.W}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    constexpr double tile_bytes = 4. * 32 * 16 * 8 * 32; // of dy: 32 blocks, 16 channels, of the tile's 10 × 34 those 8 × 32 inside
    ladder.rungs = {
        {"1_direct", "Every element gathers", {{32, 8}, {16, 16}, {32, 1}, {8, 8}, {32, 32}}, direct,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"weight", load, sectors_per_request, 1}, {"dx", store, sectors_per_request, 4}}},
        {"2_tiled", "A tile of dy in shared memory", {{32, 8}, {16, 16}, {32, 1}, {8, 8}, {32, 32}}, tiled,
         tolerance, 75, {{"dy", load, sectors_per_request, 2.5}, {"dy", load, bytes, tile_bytes}, {"weight", load, sectors_per_request, 1}, {"dx", store, sectors_per_request, 4},
                         {"tile", load, wavefronts_per_request, 1}, {"tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::conv2d_backward_input
