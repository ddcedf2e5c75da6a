#include "engine/kernels/one_long_loop/ladder.hpp"

namespace gradus::one_long_loop {

/// y[i] is x[i] after so many rounds of v ← v · 3/4 + 1/4: `longest` for one element of 32, `usual` for the others; x, y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n"), usual = problem.at("usual"), longest = problem.at("longest");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) {
        double v = x[i];
        for (std::int64_t round = 0; round < (i % 32 == 7 ? longest : usual); ++round) v = v * 0.75 + 0.25;
        y[i] = v;
    }
}

} // namespace gradus::one_long_loop
