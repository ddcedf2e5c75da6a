#include "engine/kernels/index_3d/ladder.hpp"

namespace gradus::index_3d {

/// y[c][h][w] = x[c][h][w] + bias[c]; x, y (C, H, W), bias (C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t C = problem.at("C"), H = problem.at("H"), W = problem.at("W");
    const std::vector<double>&x = values.at("x"), &bias = values.at("bias");
    std::vector<double>& y = values.at("y");
    for (std::int64_t c = 0; c < C; ++c)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t w = 0; w < W; ++w) y[(c * H + h) * W + w] = x[(c * H + h) * W + w] + bias[c];
}

} // namespace gradus::index_3d
