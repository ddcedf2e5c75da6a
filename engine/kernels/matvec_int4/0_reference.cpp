#include "engine/kernels/matvec_int4/ladder.hpp"

namespace gradus::matvec_int4 {

/// y[i] = Σ_k w[i][k] · x[k], where w[i][k] = scales[i][g] · (q[i][k] − zeros[i][g]) with g = k / 32. q[i][k] is a nibble of weights
/// (M, 16 groups), the low one of byte k / 2 for even k; groups = ⌈K / 32⌉; scales and zeros (M, groups); x (K) -> y (M).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t M = problem.at("M"), K = problem.at("K"), groups = pieces(K, 32);
    const std::vector<double>&weights = values.at("weights"), &scales = values.at("scales"), &zeros = values.at("zeros");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < M; ++i) {
        double sum = 0;
        for (std::int64_t k = 0; k < K; ++k) {
            const int byte = static_cast<int>(weights[i * 16 * groups + k / 2]);
            const int q = k % 2 == 0 ? byte % 16 : byte / 16;
            const std::int64_t group = i * groups + k / 32;
            sum += scales[group] * (q - zeros[group]) * x[k];
        }
        y[i] = sum;
    }
}

} // namespace gradus::matvec_int4
