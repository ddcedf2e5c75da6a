#include "engine/kernels/branch_parity/ladder.hpp"

namespace gradus::branch_parity {

/// y[i] is x[i] after 8 rounds of v ← v · a + b, with a = 3/4, b = 1/8 where i is even and a = 1/2, b = 1/4 where it is odd; x, y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) {
        double v = x[i];
        for (int round = 0; round < 8; ++round) v = i % 2 == 0 ? v * 0.75 + 0.125 : v * 0.5 + 0.25;
        y[i] = v;
    }
}

} // namespace gradus::branch_parity
