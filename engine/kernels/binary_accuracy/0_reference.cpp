#include "engine/kernels/binary_accuracy/ladder.hpp"

namespace gradus::binary_accuracy {

/// The share of elements with z > threshold where y is 1 (more than a half) and z < threshold where it is 0. z, y (n) -> share (1).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&z = values.at("z"), &y = values.at("y");
    std::int64_t right = 0;
    for (std::int64_t i = 0; i < n; ++i) right += y[i] > 0.5 ? z[i] > double{threshold} : z[i] < double{threshold};
    values.at("share")[0] = static_cast<double>(right) / static_cast<double>(n);
}

} // namespace gradus::binary_accuracy
