#include "engine/kernels/accuracy/ladder.hpp"

namespace gradus::accuracy {

/// The share of rows whose largest element is at the label; a tie is wrong. z (B, C), label (B) -> share (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), C = problem.at("C");
    const std::vector<double>&z = values.at("z"), &label = values.at("label");
    std::int64_t right = 0;
    for (std::int64_t r = 0; r < B; ++r) {
        const std::int64_t at = static_cast<std::int64_t>(label[r]);
        bool largest = true;
        for (std::int64_t c = 0; c < C; ++c) largest = largest && (c == at || z[r * C + at] > z[r * C + c]);
        right += largest;
    }
    values.at("share")[0] = static_cast<double>(right) / static_cast<double>(B);
}

} // namespace gradus::accuracy
