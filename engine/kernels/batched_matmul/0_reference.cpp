#include "engine/kernels/batched_matmul/ladder.hpp"

namespace gradus::batched_matmul {

/// C[b][i][j] = Σ_k A[b][i][k] · B[b][k][j]; A (batch, M, K), B (batch, K, N) -> C (batch, M, N).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t batch = problem.at("batch"), M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
    const std::vector<double>&A = values.at("A"), &B = values.at("B");
    std::vector<double>& C = values.at("C");
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = 0; i < M; ++i)
            for (std::int64_t j = 0; j < N; ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < K; ++k) sum += A[(b * M + i) * K + k] * B[(b * K + k) * N + j];
                C[(b * M + i) * N + j] = sum;
            }
}

} // namespace gradus::batched_matmul
