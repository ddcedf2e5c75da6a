#include "engine/kernels/layernorm/ladder.hpp"

#include <cmath>

namespace gradus::layernorm {

/// mean[r] = Σ_c x[r][c] / columns; rstd[r] = 1 / sqrt(Σ_c (x[r][c] − mean[r])² / columns + epsilon);
/// y[r][c] = (x[r][c] − mean[r]) · rstd[r] · gamma[c] + beta[c].
/// x (rows, columns), gamma (columns), beta (columns) -> y (rows, columns), mean (rows), rstd (rows).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&x = values.at("x"), &gamma = values.at("gamma"), &beta = values.at("beta");
    std::vector<double>&y = values.at("y"), &means = values.at("mean"), &rstds = values.at("rstd");
    for (std::int64_t r = 0; r < rows; ++r) {
        double mean = 0, variance = 0;
        for (std::int64_t c = 0; c < columns; ++c) mean += x[r * columns + c] / static_cast<double>(columns);
        for (std::int64_t c = 0; c < columns; ++c) variance += std::pow(x[r * columns + c] - mean, 2) / static_cast<double>(columns);
        const double rstd = 1 / std::sqrt(variance + epsilon);
        for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = (x[r * columns + c] - mean) * rstd * gamma[c] + beta[c];
        means[r] = mean;
        rstds[r] = rstd;
    }
}

} // namespace gradus::layernorm
