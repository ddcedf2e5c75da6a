#include "engine/kernels/conv2d_backward_weights/ladder.hpp"

namespace gradus::conv2d_backward_weights {

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

KernelPlan direct(const Problem& problem, Dim3 block) {
    const Shape s = shape_of(problem);
    return {{}, {{"conv2d_backward_weights_direct", {pieces(s.C * s.kernel * s.kernel, block.x), pieces(s.O, block.y)}, block, 0,
                  {"dy", "x", "dweight", s.N, s.C, s.H, s.W, s.O, s.kernel, s.stride, s.padding, s.Ho(), s.Wo()}},
                 {"conv2d_backward_weights_direct_bias", {pieces(s.O, 32)}, {32}, 0, {"dy", "db", s.N, s.O, s.Ho() * s.Wo()}}}};
}

KernelPlan warps(const Problem& problem, Dim3 block) {
    const Shape s = shape_of(problem);
    return {{}, {{"conv2d_backward_weights_warp", {pieces(s.O * s.C * s.kernel * s.kernel, block.y)}, block, 0,
                  {"dy", "x", "dweight", s.N, s.C, s.H, s.W, s.O, s.kernel, s.stride, s.padding, s.Ho(), s.Wo()}},
                 {"conv2d_backward_weights_warp_bias", {pieces(s.O, block.y)}, block, 0, {"dy", "db", s.N, s.O, s.Ho() * s.Wo()}}}};
}

/// A chain of 512 roundings adds up like a random walk, to about √512 · 2⁻²⁴ = 1.4e-6; the rest is for few sums, which may nearly cancel.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "conv2d_backward_weights",
                  .title = "Gradient of a convolution's weights",
                  .sizes = {{"N", 2, {1, 3}}, {"C", 32, {1, 3}}, {"H", 8, {5, 17}}, {"W", 32, {7, 33}}, {"O", 8, {1, 5, 33}}, {"kernel", 3, {1, 2, 5}}, {"stride", 1, {2, 3}}, {"padding", 1, {0, 2}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const Shape s = shape_of(problem);
        return {{.name = "dy", .sizes = {s.N, s.O, s.Ho(), s.Wo()}},
                {.name = "x", .sizes = {s.N, s.C, s.H, s.W}},
                {.name = "dweight", .sizes = {s.O, s.C, s.kernel, s.kernel}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "db", .sizes = {s.O}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_direct", "One thread for each weight", {{32, 1}, {32, 8}, {100, 1}, {9, 9}, {256, 1}}, direct,
         tolerance, 75, {{"dy", load, sectors_per_request, 80. / 73}, {"x", load, sectors_per_request, 55968. / 4608}, {"dweight", store, sectors_per_request, 4}, {"db", store, sectors_per_request, 1}}},
        {"2_warp", "A warp for each weight", {{32, 8}, {32, 1}, {32, 3}, {32, 32}}, warps,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"dweight", store, sectors_per_request, 1}, {"db", store, sectors_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::conv2d_backward_weights
