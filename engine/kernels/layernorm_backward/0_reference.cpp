#include "engine/kernels/layernorm_backward/ladder.hpp"

namespace gradus::layernorm_backward {

/// Gradients of y = normal · gamma + beta, normal = (x − mean) · rstd, where mean and rstd are those of each row of x. With
/// g = dy · gamma: dx = rstd · (g − mean of g − normal · mean of (g · normal)), both means over the row; dgamma[c] = Σ_r dy · normal;
/// dbeta[c] = Σ_r dy. dy, x (rows, columns), mean, rstd (rows), gamma (columns) -> dx (rows, columns), dgamma, dbeta (columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x"), &mean = values.at("mean"), &rstd = values.at("rstd"), &gamma = values.at("gamma");
    std::vector<double>&dx = values.at("dx"), &dgamma = values.at("dgamma"), &dbeta = values.at("dbeta");
    dgamma.assign(dgamma.size(), 0);
    dbeta.assign(dbeta.size(), 0);
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto g = [&](std::int64_t c) { return dy[r * columns + c] * gamma[c]; };
        const auto normal = [&](std::int64_t c) { return (x[r * columns + c] - mean[r]) * rstd[r]; };
        double mean_g = 0, mean_g_normal = 0;
        for (std::int64_t c = 0; c < columns; ++c) {
            mean_g += g(c) / static_cast<double>(columns);
            mean_g_normal += g(c) * normal(c) / static_cast<double>(columns);
        }
        for (std::int64_t c = 0; c < columns; ++c) {
            dx[r * columns + c] = rstd[r] * (g(c) - mean_g - normal(c) * mean_g_normal);
            dgamma[c] += dy[r * columns + c] * normal(c);
            dbeta[c] += dy[r * columns + c];
        }
    }
}

} // namespace gradus::layernorm_backward
