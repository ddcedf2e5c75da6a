#include "engine/kernels/dequantise_tensor/ladder.hpp"

namespace gradus::dequantise_tensor {

/// y[i] = scale · q[i]; q (n) of int8, scale (1) -> y (n).
void reference(const Problem& problem, KernelValues& values) {
    const std::int64_t n = problem.at("n");
    const std::vector<double>& q = values.at("q");
    const double scale = values.at("scale")[0];
    std::vector<double>& y = values.at("y");
    for (std::int64_t i = 0; i < n; ++i) y[i] = scale * q[i];
}

} // namespace gradus::dequantise_tensor
