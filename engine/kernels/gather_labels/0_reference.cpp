#include "engine/kernels/gather_labels/ladder.hpp"

namespace gradus::gather_labels {

/// y[i] = x[index[i]]. x (V), index (n) -> y (n), all whole numbers.
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&x = values.at("x"), &index = values.at("index");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[static_cast<std::int64_t>(index[i])];
}

} // namespace gradus::gather_labels
