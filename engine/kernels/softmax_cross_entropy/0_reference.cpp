#include "engine/kernels/softmax_cross_entropy/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::softmax_cross_entropy {

/// p[r][c] = exp(z[r][c]) / Σ_k exp(z[r][k]), L = −1/B · Σ_r ln p[r][label[r]]. z (B, C), label (B) -> p (B, C), L (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), C = problem.at("C");
    const std::vector<double>&z = values.at("z"), &label = values.at("label");
    std::vector<double>&p = values.at("p"), &L = values.at("L");
    L[0] = 0;
    for (std::int64_t r = 0; r < B; ++r) {
        const double* row = z.data() + r * C;
        const double max = *std::max_element(row, row + C);
        double sum = 0;
        for (std::int64_t c = 0; c < C; ++c) sum += std::exp(row[c] - max);
        for (std::int64_t c = 0; c < C; ++c) p[r * C + c] = std::exp(row[c] - max) / sum;
        L[0] += (max + std::log(sum) - row[static_cast<std::int64_t>(label[r])]) / static_cast<double>(B);
    }
}

} // namespace gradus::softmax_cross_entropy
