#include "engine/kernels/batch_norm_inference/ladder.hpp"

#include <cmath>

namespace gradus::batch_norm_inference {

/// y[n][c][s] = (x[n][c][s] − mean[c]) / √(variance[c] + ε) · gamma[c] + beta[c], with the statistics that training has gathered.
/// x (N, C, S), gamma, beta, mean, variance (C) -> y (N, C, S).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t N = problem.at("N"), C = problem.at("C"), S = problem.at("S");
    const std::vector<double>&x = values.at("x"), &gamma = values.at("gamma"), &beta = values.at("beta"), &mean = values.at("mean"), &variance = values.at("variance");
    std::vector<double>& y = values.at("y");
    for (std::int64_t n = 0; n < N; ++n)
        for (std::int64_t c = 0; c < C; ++c)
            for (std::int64_t s = 0; s < S; ++s)
                y[(n * C + c) * S + s] = (x[(n * C + c) * S + s] - mean[c]) / std::sqrt(variance[c] + double{epsilon}) * gamma[c] + beta[c];
}

} // namespace gradus::batch_norm_inference
