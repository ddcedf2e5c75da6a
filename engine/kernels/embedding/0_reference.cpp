#include "engine/kernels/embedding/ladder.hpp"

namespace gradus::embedding {

/// y[t] = table[index[t]], whole rows. table (V, C), index (T) -> y (T, C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t T = problem.at("T"), C = problem.at("C");
    const std::vector<double>&table = values.at("table"), &index = values.at("index");
    std::vector<double>& y = values.at("y");
    for (std::int64_t t = 0; t < T; ++t)
        for (std::int64_t c = 0; c < C; ++c) y[t * C + c] = table[static_cast<std::int64_t>(index[t]) * C + c];
}

} // namespace gradus::embedding
