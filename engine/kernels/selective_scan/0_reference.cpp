#include "engine/kernels/selective_scan/ladder.hpp"

#include <cmath>

namespace gradus::selective_scan {

/// For each channel of each sequence, with `states` numbers h that begin at 0:
/// h_t[n] = exp(Δ_t · A[n]) · h_{t−1}[n] + Δ_t · B_t[n] · x_t, y_t = Σ_n C_t[n] · h_t[n] + skip · x_t, where A[n] = −exp(A_log[n]).
/// x, delta (batch, channels, T), A_log (channels, states), B, C (batch, states, T), skip (channels) -> y (batch, channels, T).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t batch = problem.at("batch"), channels = problem.at("channels"), states = problem.at("states"), T = problem.at("T");
    const std::vector<double>&x = values.at("x"), &delta = values.at("delta"), &A_log = values.at("A_log");
    const std::vector<double>&B = values.at("B"), &C = values.at("C"), &skip = values.at("skip");
    std::vector<double>& y = values.at("y");
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t d = 0; d < channels; ++d) {
            std::vector<double> h(static_cast<std::size_t>(states));
            for (std::int64_t t = 0; t < T; ++t) {
                const std::int64_t at = (b * channels + d) * T + t;
                y[at] = skip[d] * x[at];
                for (std::int64_t n = 0; n < states; ++n) {
                    const double A = -std::exp(A_log[d * states + n]);
                    h[n] = std::exp(delta[at] * A) * h[n] + delta[at] * B[(b * states + n) * T + t] * x[at];
                    y[at] += C[(b * states + n) * T + t] * h[n];
                }
            }
        }
}

} // namespace gradus::selective_scan
