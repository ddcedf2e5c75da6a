#include "engine/kernels/sgd/ladder.hpp"

namespace gradus::sgd {

/// W' = W − lr · g. W, g (n) -> W_next (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&W = values.at("W"), &g = values.at("g");
    std::vector<double>& W_next = values.at("W_next");
    for (std::int64_t i = 0; i < n; ++i) W_next[i] = W[i] - double{lr} * g[i];
}

} // namespace gradus::sgd
