#include "engine/kernels/max_pool2d/ladder.hpp"

namespace gradus::max_pool2d {

/// y[p][h][w] = the largest of the four x[p][2h + i][2w + j], and switches[p][h][w] = (2h + i) · W + 2w + j of the first one that is so large.
/// x (planes, H, W) -> y, switches (planes, ⌊H / 2⌋, ⌊W / 2⌋).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t planes = problem.at("planes"), H = problem.at("H"), W = problem.at("W"), Ho = H / 2, Wo = W / 2;
    const std::vector<double>& x = values.at("x");
    std::vector<double>&y = values.at("y"), &switches = values.at("switches");
    for (std::int64_t p = 0; p < planes; ++p)
        for (std::int64_t h = 0; h < Ho; ++h)
            for (std::int64_t w = 0; w < Wo; ++w) {
                std::int64_t best = 2 * h * W + 2 * w;
                for (std::int64_t i = 0; i < 2; ++i)
                    for (std::int64_t j = 0; j < 2; ++j) {
                        const std::int64_t place = (2 * h + i) * W + 2 * w + j;
                        if (x[p * H * W + place] > x[p * H * W + best]) best = place;
                    }
                y[(p * Ho + h) * Wo + w] = x[p * H * W + best];
                switches[(p * Ho + h) * Wo + w] = static_cast<double>(best);
            }
}

} // namespace gradus::max_pool2d
