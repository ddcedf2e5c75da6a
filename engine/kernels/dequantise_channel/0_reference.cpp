#include "engine/kernels/dequantise_channel/ladder.hpp"

namespace gradus::dequantise_channel {

/// y[r][c] = scales[r] · q[r][c]; q (rows, columns) of int8, scales (rows) -> y (rows, columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>&q = values.at("q"), &scales = values.at("scales");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) y[r * columns + c] = scales[r] * q[r * columns + c];
}

} // namespace gradus::dequantise_channel
