#include "engine/kernels/rmsnorm/ladder.hpp"

#include <cmath>

namespace gradus::rmsnorm {

/// rrms[r] = 1 / sqrt(Σ_c x[r][c]² / columns + epsilon); y[r][c] = x[r][c] · rrms[r] · gamma[c].
/// x (rows, columns), gamma (columns) -> y (rows, columns), rrms (rows).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&x = values.at("x"), &gamma = values.at("gamma");
    std::vector<double>&y = values.at("y"), &rrms = values.at("rrms");
    for (std::int64_t r = 0; r < rows; ++r) {
        double squares = 0;
        for (std::int64_t c = 0; c < columns; ++c) squares += x[r * columns + c] * x[r * columns + c];
        rrms[r] = 1 / std::sqrt(squares / static_cast<double>(columns) + epsilon);
        for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = x[r * columns + c] * rrms[r] * gamma[c];
    }
}

} // namespace gradus::rmsnorm
