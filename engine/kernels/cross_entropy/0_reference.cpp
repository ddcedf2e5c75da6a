#include "engine/kernels/cross_entropy/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::cross_entropy {

/// loss[r] = ln Σ_c exp(z[r][c]) − z[r][label[r]], or 0 where the label is ignore_index. z (B, C), label (B) -> loss (B).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), C = problem.at("C"), ignore_index = problem.at("ignore_index");
    const std::vector<double>&z = values.at("z"), &label = values.at("label");
    std::vector<double>& loss = values.at("loss");
    for (std::int64_t r = 0; r < B; ++r) {
        const double* row = z.data() + r * C;
        const double max = *std::max_element(row, row + C);
        double sum = 0;
        for (std::int64_t c = 0; c < C; ++c) sum += std::exp(row[c] - max);
        const auto y = static_cast<std::int64_t>(label[r]);
        loss[r] = y == ignore_index ? 0 : max + std::log(sum) - row[y];
    }
}

} // namespace gradus::cross_entropy
