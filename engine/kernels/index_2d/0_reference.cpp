#include "engine/kernels/index_2d/ladder.hpp"

namespace gradus::index_2d {

/// y[r][c] = x[r][c] + bias[c]; x, y (rows, columns), bias (columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&x = values.at("x"), &bias = values.at("bias");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = x[r * columns + c] + bias[c];
}

} // namespace gradus::index_2d
