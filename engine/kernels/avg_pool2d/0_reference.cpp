#include "engine/kernels/avg_pool2d/ladder.hpp"

namespace gradus::avg_pool2d {

/// y[p][h][w] = the mean of the four x[p][2h + i][2w + j]. x (planes, H, W) -> y (planes, ⌊H / 2⌋, ⌊W / 2⌋).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t planes = problem.at("planes"), H = problem.at("H"), W = problem.at("W"), Ho = H / 2, Wo = W / 2;
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t p = 0; p < planes; ++p)
        for (std::int64_t h = 0; h < Ho; ++h)
            for (std::int64_t w = 0; w < Wo; ++w) {
                double sum = 0;
                for (std::int64_t i = 0; i < 2; ++i)
                    for (std::int64_t j = 0; j < 2; ++j) sum += x[(p * H + 2 * h + i) * W + 2 * w + j];
                y[(p * Ho + h) * Wo + w] = sum / 4;
            }
}

} // namespace gradus::avg_pool2d
