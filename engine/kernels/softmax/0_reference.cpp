#include "engine/kernels/softmax/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::softmax {

/// y[r][c] = exp(x[r][c] − max_k x[r][k]) / Σ_k exp(x[r][k] − max_k x[r][k]); x (rows, columns) -> y (rows, columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>& x = values.at("x");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r) {
        const double largest = *std::max_element(x.begin() + r * columns, x.begin() + (r + 1) * columns);
        double sum = 0;
        for (std::int64_t c = 0; c < columns; ++c) sum += std::exp(x[r * columns + c] - largest);
        for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = std::exp(x[r * columns + c] - largest) / sum;
    }
}

} // namespace gradus::softmax
