#include "engine/kernels/one_hot_accuracy/ladder.hpp"

#include <algorithm>

namespace gradus::one_hot_accuracy {

/// The share of rows whose largest element of z is where y has its own (the first of equal ones); a tie in z is wrong. z, y (B, C) -> share (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t B = problem.at("B"), C = problem.at("C");
    const std::vector<double>&z = values.at("z"), &y = values.at("y");
    std::int64_t right = 0;
    for (std::int64_t r = 0; r < B; ++r) {
        const std::int64_t at = std::max_element(y.begin() + r * C, y.begin() + (r + 1) * C) - (y.begin() + r * C);
        bool largest = true;
        for (std::int64_t c = 0; c < C; ++c) largest = largest && (c == at || z[r * C + at] > z[r * C + c]);
        right += largest;
    }
    values.at("share")[0] = static_cast<double>(right) / static_cast<double>(B);
}

} // namespace gradus::one_hot_accuracy
