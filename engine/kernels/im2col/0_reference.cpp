#include "engine/kernels/im2col/ladder.hpp"

namespace gradus::im2col {

/// y[n][(c, i, j)][(h, w)] = x[n][c][h · stride − padding + i][w · stride − padding + j], 0 outside of x.
/// x (N, C, H, W) -> y (N, C · kernel · kernel, Ho · Wo).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t N = problem.at("N"), C = problem.at("C"), H = problem.at("H"), W = problem.at("W");
    const std::int64_t kernel = problem.at("kernel"), stride = problem.at("stride"), padding = problem.at("padding");
    const std::int64_t Ho = (H + 2 * padding - kernel) / stride + 1, Wo = (W + 2 * padding - kernel) / stride + 1;
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    std::size_t at = 0;
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t c = 0; c < C; ++c)
            for (std::int64_t i = 0; i < kernel; ++i)
                for (std::int64_t j = 0; j < kernel; ++j)
                    for (std::int64_t h = 0; h < Ho; ++h)
                        for (std::int64_t w = 0; w < Wo; ++w) {
                            const std::int64_t row = h * stride - padding + i, column = w * stride - padding + j;
                            const bool inside = row >= 0 && row < H && column >= 0 && column < W;
                            y[at++] = inside ? x[((n * C + c) * H + row) * W + column] : 0;
                        }
}

} // namespace gradus::im2col
