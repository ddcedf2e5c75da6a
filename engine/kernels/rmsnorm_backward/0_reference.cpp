#include "engine/kernels/rmsnorm_backward/ladder.hpp"

namespace gradus::rmsnorm_backward {

/// Gradients of y = normal · gamma, normal = x · rrms, where rrms is the reciprocal root mean square of each row of x. With
/// g = dy · gamma: dx = rrms · (g − normal · mean of (g · normal)), the mean over the row; dgamma[c] = Σ_r dy · normal.
/// dy, x (rows, columns), rrms (rows), gamma (columns) -> dx (rows, columns), dgamma (columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&dy = values.at("dy"), &x = values.at("x"), &rrms = values.at("rrms"), &gamma = values.at("gamma");
    std::vector<double>&dx = values.at("dx"), &dgamma = values.at("dgamma");
    dgamma.assign(dgamma.size(), 0);
    for (std::int64_t r = 0; r < rows; ++r) {
        double mean_g_normal = 0;
        for (std::int64_t c = 0; c < columns; ++c)
            mean_g_normal += dy[r * columns + c] * gamma[c] * x[r * columns + c] * rrms[r] / static_cast<double>(columns);
        for (std::int64_t c = 0; c < columns; ++c) {
            const double normal = x[r * columns + c] * rrms[r];
            dx[r * columns + c] = rrms[r] * (dy[r * columns + c] * gamma[c] - normal * mean_g_normal);
            dgamma[c] += dy[r * columns + c] * normal;
        }
    }
}

} // namespace gradus::rmsnorm_backward
