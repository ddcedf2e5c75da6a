#include "engine/kernels/momentum/ladder.hpp"

namespace gradus::momentum {

/// v' = mu · v + g, W' = W − lr · v': PyTorch's convention, without dampening. W, g, v (n) -> W_next, v_next (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&W = values.at("W"), &g = values.at("g"), &v = values.at("v");
    std::vector<double>&W_next = values.at("W_next"), &v_next = values.at("v_next");
    for (std::int64_t i = 0; i < n; ++i) {
        v_next[i] = double{mu} * v[i] + g[i];
        W_next[i] = W[i] - double{lr} * v_next[i];
    }
}

} // namespace gradus::momentum
