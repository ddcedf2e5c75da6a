#include "engine/kernels/adamw/ladder.hpp"

#include <cmath>

namespace gradus::adamw {

/// m' = β₁ · m + (1 − β₁) · g, v' = β₂ · v + (1 − β₂) · g², W' = W · (1 − lr · λ) − lr · m̂ / (√v̂ + ε) with m̂ = m' / (1 − β₁^t) and
/// v̂ = v' / (1 − β₂^t). λ is the decay for the two matrices, 0 for the two biases. All tensors lie one behind the other: inputs · hidden,
/// hidden, hidden · outputs and outputs elements. W, g, m, v (n) -> W_next, m_next, v_next (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t inputs = problem.at("inputs"), hidden = problem.at("hidden"), outputs = problem.at("outputs");
    const std::vector<double>&W = values.at("W"), &g = values.at("g"), &m = values.at("m"), &v = values.at("v");
    std::vector<double>&W_next = values.at("W_next"), &m_next = values.at("m_next"), &v_next = values.at("v_next");
    const double b1 = beta1, b2 = beta2;
    std::size_t i = 0;
    const auto tensor = [&](std::int64_t elements, double lambda) {
        for (const std::size_t end = i + static_cast<std::size_t>(elements); i < end; ++i) {
            m_next[i] = b1 * m[i] + (1 - b1) * g[i];
            v_next[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
            const double m_hat = m_next[i] / (1 - std::pow(b1, step)), v_hat = v_next[i] / (1 - std::pow(b2, step));
            W_next[i] = W[i] * (1 - double{lr} * lambda) - double{lr} * m_hat / (std::sqrt(v_hat) + double{epsilon});
        }
    };
    tensor(inputs * hidden, decay);
    tensor(hidden, 0);
    tensor(hidden * outputs, decay);
    tensor(outputs, 0);
}

} // namespace gradus::adamw
