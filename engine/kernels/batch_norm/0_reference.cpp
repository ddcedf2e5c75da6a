#include "engine/kernels/batch_norm/ladder.hpp"

#include <cmath>

namespace gradus::batch_norm {

/// y[n][c][s] = (x[n][c][s] − mean[c]) · rstd[c] · gamma[c] + beta[c], with mean and variance of each channel over all images and places, and
/// rstd = 1 / √(variance + ε). x (N, C, S), gamma, beta (C) -> y (N, C, S), mean, rstd (C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t N = problem.at("N"), C = problem.at("C"), S = problem.at("S");
    const auto count = static_cast<double>(N * S);
    const std::vector<double>&x = values.at("x"), &gamma = values.at("gamma"), &beta = values.at("beta");
    std::vector<double>&y = values.at("y"), &mean = values.at("mean"), &rstd = values.at("rstd");
    for (std::int64_t c = 0; c < C; ++c) {
        double sum = 0, squares = 0;
        for (std::int64_t n = 0; n < N; ++n)
            for (std::int64_t s = 0; s < S; ++s) sum += x[(n * C + c) * S + s];
        mean[c] = sum / count;
        for (std::int64_t n = 0; n < N; ++n)
            for (std::int64_t s = 0; s < S; ++s) squares += std::pow(x[(n * C + c) * S + s] - mean[c], 2);
        rstd[c] = 1 / std::sqrt(squares / count + double{epsilon});
        for (std::int64_t n = 0; n < N; ++n)
            for (std::int64_t s = 0; s < S; ++s) y[(n * C + c) * S + s] = (x[(n * C + c) * S + s] - mean[c]) * rstd[c] * gamma[c] + beta[c];
    }
}

} // namespace gradus::batch_norm
