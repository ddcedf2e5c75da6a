#include "engine/kernels/attention_backward/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::attention_backward {

namespace {

/// Σ_d a[row][d] · b[column][d].
double dot(const std::vector<double>& a, std::int64_t row, const std::vector<double>& b, std::int64_t column, std::int64_t D) {
    double sum = 0;
    for (std::int64_t d = 0; d < D; ++d) sum += a[row * D + d] * b[column * D + d];
    return sum;
}

} // namespace

/// Gradients of O = P · V, P = softmax of the rows of S, S = Q · Kᵀ / √D, for each of BH heads; with causal != 0 a query i sees the keys
/// j <= i only. dV = Pᵀ · dO; dP = dO · Vᵀ; dS[i][j] = P[i][j] · (dP[i][j] − Σ_k P[i][k] · dP[i][k]); dQ = dS · K / √D; dK = dSᵀ · Q / √D.
/// Q, K, V, dO (BH, T, D) -> dQ, dK, dV (BH, T, D).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t BH = problem.at("BH"), T = problem.at("T"), D = problem.at("D"), causal = problem.at("causal");
    const std::vector<double>&Q = values.at("Q"), &K = values.at("K"), &V = values.at("V"), &dO = values.at("dO");
    std::vector<double>&dQ = values.at("dQ"), &dK = values.at("dK"), &dV = values.at("dV");
    for (std::vector<double>* gradient : {&dQ, &dK, &dV}) gradient->assign(gradient->size(), 0);
    const double scale = 1 / std::sqrt(static_cast<double>(D));
    for (std::int64_t query = 0; query < BH * T; ++query) {
        const std::int64_t i = query % T, first_key = query - i; // the head's rows follow one another
        std::vector<double> P(static_cast<std::size_t>(causal ? i + 1 : T)), dP(P.size());
        for (std::size_t j = 0; j < P.size(); ++j) {
            const std::int64_t key = first_key + static_cast<std::int64_t>(j);
            P[j] = scale * dot(Q, query, K, key, D);
            dP[j] = dot(dO, query, V, key, D);
        }
        const double largest = *std::max_element(P.begin(), P.end());
        double sum = 0, delta = 0;
        for (double& p : P) sum += p = std::exp(p - largest);
        for (double& p : P) p /= sum;
        for (std::size_t j = 0; j < P.size(); ++j) delta += P[j] * dP[j];
        for (std::size_t j = 0; j < P.size(); ++j) {
            const std::int64_t key = first_key + static_cast<std::int64_t>(j);
            const double dS = P[j] * (dP[j] - delta);
            for (std::int64_t d = 0; d < D; ++d) {
                dV[key * D + d] += P[j] * dO[query * D + d];
                dQ[query * D + d] += scale * dS * K[key * D + d];
                dK[key * D + d] += scale * dS * Q[query * D + d];
            }
        }
    }
}

} // namespace gradus::attention_backward
