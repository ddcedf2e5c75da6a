#include "engine/kernels/matmul_half/ladder.hpp"

namespace gradus::matmul_half {

/// C[i][j] = Σ_k A[i][k] · B[k][j]; A (M, K) and B (K, N) of halves -> C (M, N) of floats.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
    const std::vector<double>&A = values.at("A"), &B = values.at("B");
    std::vector<double>& C = values.at("C");
    for (std::int64_t i = 0; i < M; ++i)
        for (std::int64_t j = 0; j < N; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < K; ++k) sum += A[i * K + k] * B[k * N + j];
            C[i * N + j] = sum;
        }
}

} // namespace gradus::matmul_half
