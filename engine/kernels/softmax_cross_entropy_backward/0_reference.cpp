#include "engine/kernels/softmax_cross_entropy_backward/ladder.hpp"

namespace gradus::softmax_cross_entropy_backward {

/// dz[r][c] = (p[r][c] − (c = label[r] ? 1 : 0)) / B. p (B, C), label (B) -> dz (B, C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), C = problem.at("C");
    const std::vector<double>&p = values.at("p"), &label = values.at("label");
    std::vector<double>& dz = values.at("dz");
    for (std::int64_t r = 0; r < B; ++r)
        for (std::int64_t c = 0; c < C; ++c)
            dz[r * C + c] = (p[r * C + c] - (c == static_cast<std::int64_t>(label[r]) ? 1 : 0)) / static_cast<double>(B);
}

} // namespace gradus::softmax_cross_entropy_backward
