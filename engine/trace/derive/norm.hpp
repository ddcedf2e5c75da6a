#pragma once

#include "engine/core/tensor.hpp"

namespace gradus {

/// Euclidean norm of all entries: ‖x‖₂ = sqrt(Σ_i x_i²), summed in double precision; of a scalar, its magnitude.
/// Throws ShapeError for an undefined tensor.
double l2_norm(const Tensor& tensor);

} // namespace gradus
