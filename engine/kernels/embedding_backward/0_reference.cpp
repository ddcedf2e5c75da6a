#include "engine/kernels/embedding_backward/ladder.hpp"

namespace gradus::embedding_backward {

/// Gradient of y[t] = table[index[t]]: dtable[v] = Σ dy[t] over the t with index[t] = v; 0 for a v that no token has.
/// dy (T, C), index (T) -> dtable (V, C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t T = problem.at("T"), C = problem.at("C");
    const std::vector<double>&dy = values.at("dy"), &index = values.at("index");
    std::vector<double>& dtable = values.at("dtable");
    dtable.assign(dtable.size(), 0);
    for (std::int64_t t = 0; t < T; ++t)
        for (std::int64_t c = 0; c < C; ++c) dtable[static_cast<std::int64_t>(index[t]) * C + c] += dy[t * C + c];
}

} // namespace gradus::embedding_backward
