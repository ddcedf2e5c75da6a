#include "engine/kernels/scale_add/ladder.hpp"

namespace gradus::scale_add {

/// z = a · x + y. x, y (n) -> z (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&x = values.at("x"), &y = values.at("y");
    std::vector<double>& z = values.at("z");
    for (std::int64_t i = 0; i < n; ++i) z[i] = double{a} * x[i] + y[i];
}

} // namespace gradus::scale_add
