#include "engine/kernels/attention/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::attention {

/// For each of BH heads: O[i] = Σ_j softmax_j(Q[i] · K[j] / √D) · V[j]; L[i] = log Σ_j exp(Q[i] · K[j] / √D). With causal != 0 a query i
/// sees the keys j <= i only. Q, K, V (BH, T, D) -> O (BH, T, D), L (BH, T).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t BH = problem.at("BH"), T = problem.at("T"), D = problem.at("D"), causal = problem.at("causal");
    const std::vector<double>&Q = values.at("Q"), &K = values.at("K"), &V = values.at("V");
    std::vector<double>&O = values.at("O"), &L = values.at("L");
    for (std::int64_t query = 0; query < BH * T; ++query) {
        const std::int64_t i = query % T, first_key = query - i; // the head's rows follow one another
        std::vector<double> scores(static_cast<std::size_t>(causal ? i + 1 : T));
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const std::int64_t key = first_key + static_cast<std::int64_t>(j);
            for (std::int64_t d = 0; d < D; ++d) scores[j] += Q[query * D + d] * K[key * D + d] / std::sqrt(static_cast<double>(D));
        }
        const double largest = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (const double score : scores) sum += std::exp(score - largest);
        L[query] = largest + std::log(sum);
        for (std::int64_t d = 0; d < D; ++d) {
            double o = 0;
            for (std::size_t j = 0; j < scores.size(); ++j)
                o += std::exp(scores[j] - largest) / sum * V[(first_key + static_cast<std::int64_t>(j)) * D + d];
            O[query * D + d] = o;
        }
    }
}

} // namespace gradus::attention
