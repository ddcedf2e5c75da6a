#include "engine/kernels/cross_entropy_backward/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::cross_entropy_backward {

/// Gradient of scale · Σ_r loss[r], loss[r] = ln Σ_c exp(z[r][c]) − z[r][label[r]]: dz[r][c] = scale · (p[r][c] − [c = label[r]]) with
/// scale = 1 / B, or 0 where the label is ignore_index. p is the softmax of the row. z (B, C), label (B) -> dz (B, C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), C = problem.at("C"), ignore_index = problem.at("ignore_index");
    const std::vector<double>&z = values.at("z"), &label = values.at("label");
    std::vector<double>& dz = values.at("dz");
    for (std::int64_t r = 0; r < B; ++r) {
        const double* row = z.data() + r * C;
        const double max = *std::max_element(row, row + C);
        double sum = 0;
        for (std::int64_t c = 0; c < C; ++c) sum += std::exp(row[c] - max);
        const auto y = static_cast<std::int64_t>(label[r]);
        for (std::int64_t c = 0; c < C; ++c)
            dz[r * C + c] = y == ignore_index ? 0 : (std::exp(row[c] - max) / sum - (c == y ? 1 : 0)) / static_cast<double>(B);
    }
}

} // namespace gradus::cross_entropy_backward
