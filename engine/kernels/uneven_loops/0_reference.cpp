#include "engine/kernels/uneven_loops/ladder.hpp"

namespace gradus::uneven_loops {

/// y[i] is x[i] after lengths[i] rounds of v ← v · 3/4 + 1/4; x, lengths, y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>&x = values.at("x"), &lengths = values.at("lengths");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) {
        double v = x[i];
        for (int round = 0; round < static_cast<int>(lengths[i]); ++round) v = v * 0.75 + 0.25;
        y[i] = v;
    }
}

} // namespace gradus::uneven_loops
