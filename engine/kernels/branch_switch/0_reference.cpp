#include "engine/kernels/branch_switch/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::branch_switch {

/// y[i] = f(x[i]), f the function of number i mod k of eight; x, y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n"), k = problem.at("k");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) {
        const double v = x[i];
        switch (i % k) {
        case 0: y[i] = v / 2 + 0.25; break;
        case 1: y[i] = v * v; break;
        case 2: y[i] = std::sqrt(v); break;
        case 3: y[i] = 1 / (1 + v); break;
        case 4: y[i] = v * v + v; break;
        case 5: y[i] = std::max(v, 0.5); break;
        case 6: y[i] = 1 - v; break;
        default: y[i] = v; break;
        }
    }
}

} // namespace gradus::branch_switch
