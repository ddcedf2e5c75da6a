#include "engine/kernels/gather_bytes/ladder.hpp"

namespace gradus::gather_bytes {

/// y[t][c] = scale · x[index[t]][c]. x (V, C) bytes, index (T) -> y (T, C).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t T = problem.at("T"), C = problem.at("C");
    const std::vector<double>&x = values.at("x"), &index = values.at("index");
    std::vector<double>& y = values.at("y");
    for (std::int64_t t = 0; t < T; ++t)
        for (std::int64_t c = 0; c < C; ++c) y[t * C + c] = double{scale} * x[static_cast<std::int64_t>(index[t]) * C + c];
}

} // namespace gradus::gather_bytes
