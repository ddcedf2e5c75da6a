#include "engine/kernels/adam/ladder.hpp"

#include <cmath>

namespace gradus::adam {

/// m' = β₁ · m + (1 − β₁) · g, v' = β₂ · v + (1 − β₂) · g², W' = keep · W − rate · m' / (√v' · root + ε). W, g, m, v (n) -> W_next, m_next, v_next (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&W = values.at("W"), &g = values.at("g"), &m = values.at("m"), &v = values.at("v");
    for (std::int64_t i = 0; i < n; ++i) {
        const double first = double{beta1} * m[i] + double{rest1} * g[i], second = double{beta2} * v[i] + double{rest2} * g[i] * g[i];
        values.at("m_next")[i] = first;
        values.at("v_next")[i] = second;
        values.at("W_next")[i] = double{keep} * W[i] - double{rate} * first / (std::sqrt(second) * double{root} + double{epsilon});
    }
}

} // namespace gradus::adam
