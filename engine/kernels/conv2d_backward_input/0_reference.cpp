#include "engine/kernels/conv2d_backward_input/ladder.hpp"

namespace gradus::conv2d_backward_input {

/// Gradient of y[n][o][h][w] = Σ_c,i,j weight[o][c][i][j] · x[n][c][h · stride − padding + i][w · stride − padding + j]: each dy goes back to
/// the elements of x that it came from, times the weight on the way.
/// dy (N, O, Ho, Wo), weight (O, C, kernel, kernel) -> dx (N, C, H, W).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t N = problem.at("N"), C = problem.at("C"), H = problem.at("H"), W = problem.at("W"), O = problem.at("O");
    const std::int64_t kernel = problem.at("kernel"), stride = problem.at("stride"), padding = problem.at("padding");
    const std::int64_t Ho = (H + 2 * padding - kernel) / stride + 1, Wo = (W + 2 * padding - kernel) / stride + 1;
    const std::vector<double>&dy = values.at("dy"), &weight = values.at("weight");
    std::vector<double>& dx = values.at("dx");
    dx.assign(dx.size(), 0);
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t o = 0; o < O; ++o)
            for (std::int64_t h = 0; h < Ho; ++h)
                for (std::int64_t w = 0; w < Wo; ++w)
                    for (std::int64_t c = 0; c < C; ++c)
                        for (std::int64_t i = 0; i < kernel; ++i)
                            for (std::int64_t j = 0; j < kernel; ++j) {
                                const std::int64_t row = h * stride - padding + i, column = w * stride - padding + j;
                                if (row < 0 || row >= H || column < 0 || column >= W) continue;
                                dx[((n * C + c) * H + row) * W + column] +=
                                    dy[((n * O + o) * Ho + h) * Wo + w] * weight[((o * C + c) * kernel + i) * kernel + j];
                            }
}

} // namespace gradus::conv2d_backward_input
