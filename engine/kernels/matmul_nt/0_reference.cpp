#include "engine/kernels/matmul_nt/ladder.hpp"

namespace gradus::matmul_nt {

/// C (M, N) = A (M, K) · Bᵀ, B (N, K), all row-major.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
    const std::vector<double>&A = values.at("A"), &B = values.at("B");
    std::vector<double>& C = values.at("C");
    for (std::int64_t m = 0; m < M; ++m)
        for (std::int64_t n = 0; n < N; ++n) {
            double sum = 0;
            for (std::int64_t k = 0; k < K; ++k) sum += A[m * K + k] * B[n * K + k];
            C[m * N + n] = sum;
        }
}

} // namespace gradus::matmul_nt
