#include "engine/kernels/vector_multiply/ladder.hpp"

namespace gradus::vector_multiply {

/// c = a · b. a, b (n) -> c (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&a = values.at("a"), &b = values.at("b");
    std::vector<double>& c = values.at("c");
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
}

} // namespace gradus::vector_multiply
