#include "engine/kernels/conv2d_backward_weights/ladder.hpp"

namespace gradus::conv2d_backward_weights {

/// Gradient of y[n][o][h][w] = b[o] + Σ_c,i,j weight[o][c][i][j] · x[n][c][h · stride − padding + i][w · stride − padding + j]:
/// dweight[o][c][i][j] = Σ_n,h,w dy[n][o][h][w] · x[n][c][h · stride − padding + i][w · stride − padding + j], where x outside is 0, and
/// db[o] = Σ_n,h,w dy[n][o][h][w]. dy (N, O, Ho, Wo), x (N, C, H, W) -> dweight (O, C, kernel, kernel), db (O).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t N = problem.at("N"), C = problem.at("C"), H = problem.at("H"), W = problem.at("W"), O = problem.at("O");
    const std::int64_t kernel = problem.at("kernel"), stride = problem.at("stride"), padding = problem.at("padding");
    const std::int64_t Ho = (H + 2 * padding - kernel) / stride + 1, Wo = (W + 2 * padding - kernel) / stride + 1;
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x");
    std::vector<double>&dweight = values.at("dweight"), &db = values.at("db");
    dweight.assign(dweight.size(), 0);
    db.assign(db.size(), 0);
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t o = 0; o < O; ++o)
            for (std::int64_t h = 0; h < Ho; ++h)
                for (std::int64_t w = 0; w < Wo; ++w) {
                    const double d = dy[((n * O + o) * Ho + h) * Wo + w];
                    db[o] += d;
                    for (std::int64_t c = 0; c < C; ++c)
                        for (std::int64_t i = 0; i < kernel; ++i)
                            for (std::int64_t j = 0; j < kernel; ++j) {
                                const std::int64_t row = h * stride - padding + i, column = w * stride - padding + j;
                                if (row < 0 || row >= H || column < 0 || column >= W) continue;
                                dweight[((o * C + c) * kernel + i) * kernel + j] += d * x[((n * C + c) * H + row) * W + column];
                            }
                }
}

} // namespace gradus::conv2d_backward_weights
