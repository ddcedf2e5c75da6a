#include "lessons/experiments/compose_lines/polynomial_basis.hpp"

#include <cmath>
#include <cstddef>

namespace gradus::lines {

PolynomialBasis polynomial_basis(const std::vector<double>& points, int count) {
    const std::size_t n = points.size(), size = static_cast<std::size_t>(count);
    PolynomialBasis out;
    out.q.assign(n * size, 0);
    out.to_powers.assign(size * size, 0);
    out.powers.assign(n * size, 1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 1; k < size; ++k) out.powers[i * size + k] = out.powers[i * size + k - 1] * points[i];
    for (std::size_t k = 0; k < size; ++k) {
        std::vector<double> column(n), row(size, 0.0);
        for (std::size_t i = 0; i < n; ++i) column[i] = out.powers[i * size + k];
        row[k] = 1;
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t j = 0; j < k; ++j) {
                double along = 0;
                for (std::size_t i = 0; i < n; ++i) along += out.q[i * size + j] * column[i];
                for (std::size_t i = 0; i < n; ++i) column[i] -= along * out.q[i * size + j];
                for (std::size_t m = 0; m < size; ++m) row[m] -= along * out.to_powers[j * size + m];
            }
        double length = 0;
        for (const double value : column) length += value * value;
        length = std::sqrt(length);
        for (std::size_t i = 0; i < n; ++i) out.q[i * size + k] = column[i] / length;
        for (std::size_t m = 0; m < size; ++m) out.to_powers[k * size + m] = row[m] / length;
    }
    return out;
}

} // namespace gradus::lines
