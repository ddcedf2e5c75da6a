#include "engine/kernels/matmul_int8/ladder.hpp"

namespace gradus::matmul_int8 {

/// C[i][j] = Σ_k A[i][k] · B[j][k]; A (M, K) and B (N, K) of int8 -> C (M, N) of int32.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
    const std::vector<double>&A = values.at("A"), &B = values.at("B");
    std::vector<double>& C = values.at("C");
    for (std::int64_t i = 0; i < M; ++i)
        for (std::int64_t j = 0; j < N; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < K; ++k) sum += A[i * K + k] * B[j * K + k];
            C[i * N + j] = sum;
        }
}

} // namespace gradus::matmul_int8
