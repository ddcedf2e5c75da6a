#pragma once

#include <vector>

namespace gradus::lines {

/// Polynomials that are orthonormal on a set of points: Q (n, K) holds them at the points, column k of degree k, and
/// row k of `to_powers` (K, K) writes polynomial k in powers of x. With them least squares is two products:
/// r = Qᵀ · y, and the coefficients of the fitted polynomial are rᵀ · to_powers. Row-major.
struct PolynomialBasis {
    std::vector<double> q, to_powers, powers; ///< powers (n, K): x^k
};

/// K >= 1 polynomials on more than K different points: Gram and Schmidt, twice, so that rounding leaves Q orthonormal.
PolynomialBasis polynomial_basis(const std::vector<double>& points, int count);

} // namespace gradus::lines
