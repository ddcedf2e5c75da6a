#include "engine/kernels/matvec/ladder.hpp"

namespace gradus::matvec {

/// y[i] = Σ_k A[i][k] · x[k]; A (M, K), x (K) -> y (M).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t M = problem.at("M"), K = problem.at("K");
    const std::vector<double>&A = values.at("A"), &x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < M; ++i) {
        double sum = 0;
        for (std::int64_t k = 0; k < K; ++k) sum += A[i * K + k] * x[k];
        y[i] = sum;
    }
}

} // namespace gradus::matvec
