#include "engine/kernels/im2col/ladder.hpp"

namespace gradus::im2col {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

struct Shape {
    int N, C, H, W, kernel, stride, padding;
    int out(int size) const { return (size + 2 * padding - kernel) / stride + 1; } ///< positions of the window along an axis
    int Ho() const { return out(H); }
    int Wo() const { return out(W); }
};

Shape shape_of(const Problem& problem) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    return {dim("N"), dim("C"), dim("H"), dim("W"), dim("kernel"), dim("stride"), dim("padding")};
}

/// A thread for so many elements of a channel's window.
KernelPlan over(const char* name, const Problem& problem, Dim3 block, int elements) {
    const Shape s = shape_of(problem);
    const int threads = s.N * s.C * s.kernel * s.kernel * s.Ho() * s.Wo() / elements;
    return {{}, {{name, {pieces(threads, block.x)}, block, 0, {"x", "y", s.N, s.C, s.H, s.W, s.kernel, s.stride, s.padding, s.Ho(), s.Wo()}}}};
}

} // namespace

/// A move: exact.
Ladder ladder() {
    Ladder ladder{.id = "im2col",
                  .title = "Windows as columns",
                  .sizes = {{"N", 2, {1, 3}}, {"C", 4, {1, 3}}, {"H", 32, {5, 17}}, {"W", 32, {7, 33}}, {"kernel", 3, {1, 2, 5}}, {"stride", 1, {2, 3}}, {"padding", 1, {0, 2}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const Shape s = shape_of(problem);
        return {{.name = "x", .sizes = {s.N, s.C, s.H, s.W}},
                {.name = "y", .sizes = {s.N, s.C * s.kernel * s.kernel, s.Ho() * s.Wo()}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread moves one element", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) { return over("im2col_naive", problem, block, 1); },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}}},
        {"2_window", "One thread moves one window", {{256}, {32}, {100}, {512}, {1024}},
         [](const Problem& problem, Dim3 block) {
             const Shape s = shape_of(problem);
             return over("im2col_window", problem, block, s.kernel * s.kernel);
         },
         0, 75, {{"x", load, sectors_per_request, 4}, {"y", store, sectors_per_request, 4}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true;
    return ladder;
}

} // namespace gradus::im2col
