#include "engine/kernels/matmul_int8_scaled/ladder.hpp"

namespace gradus::matmul_int8_scaled {

/// C[i][j] = row_scale[i] · column_scale[j] · Σ_k A[i][k] · B[j][k]; A (M, K) and B (N, K) of int8 -> C (M, N).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
    const std::vector<double>&A = values.at("A"), &B = values.at("B");
    const std::vector<double>&row_scale = values.at("row_scale"), &column_scale = values.at("column_scale");
    std::vector<double>& C = values.at("C");
    for (std::int64_t i = 0; i < M; ++i)
        for (std::int64_t j = 0; j < N; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < K; ++k) sum += A[i * K + k] * B[j * K + k];
            C[i * N + j] = row_scale[i] * column_scale[j] * sum;
        }
}

} // namespace gradus::matmul_int8_scaled
