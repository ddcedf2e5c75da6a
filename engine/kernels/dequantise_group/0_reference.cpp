#include "engine/kernels/dequantise_group/ladder.hpp"

namespace gradus::dequantise_group {

/// y[r][c] = scales[r][g] · (q[r][c] − zeros[r][g]) with g = c / 32. q[r][c] is a nibble of weights (rows, 16 groups), the low one of
/// byte c / 2 for even c; groups = ⌈columns / 32⌉; scales and zeros (rows, groups) -> y (rows, columns).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t rows = problem.at("rows"), columns = problem.at("columns"), groups = pieces(columns, 32);
    const std::vector<double>&weights = values.at("weights"), &scales = values.at("scales"), &zeros = values.at("zeros");
    std::vector<double>& y = values.at("y");
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            const int byte = static_cast<int>(weights[r * 16 * groups + c / 2]);
            const int q = c % 2 == 0 ? byte % 16 : byte / 16;
            const std::int64_t group = r * groups + c / 32;
            y[r * columns + c] = scales[group] * (q - zeros[group]);
        }
}

} // namespace gradus::dequantise_group
