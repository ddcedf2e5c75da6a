#include "engine/kernels/quantise/ladder.hpp"

#include <algorithm>
#include <cmath>

namespace gradus::quantise {

/// scales[r] = max_c |x[r][c]| / 127, or 1 for a row of zeros; q[r][c] = x[r][c] / scales[r], rounded to the nearest, ties to even.
/// Both quotients are fp32 numbers, as the format demands: the one in q lies too near a half here and there for its rounding to be left
/// open. x (rows, columns) -> q (rows, columns) of int8, scales (rows).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
    const std::vector<double>& x = values.at("x");
    std::vector<double>&q = values.at("q"), &scales = values.at("scales");
    const auto fp32 = [](double value) { return static_cast<double>(static_cast<float>(value)); };
    for (std::int64_t r = 0; r < rows; ++r) {
        double largest = 0;
        for (std::int64_t c = 0; c < columns; ++c) largest = std::max(largest, std::abs(x[r * columns + c]));
        scales[r] = largest > 0 ? fp32(largest / 127) : 1;
        for (std::int64_t c = 0; c < columns; ++c) q[r * columns + c] = std::nearbyint(fp32(x[r * columns + c] / scales[r]));
    }
}

} // namespace gradus::quantise
