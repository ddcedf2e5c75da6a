#pragma once

#include "engine/core/tensor.hpp"

#include <optional>

namespace gradus {

/// How many elements have other bits: 0 and -0 differ, a NaN is like itself. Nothing where shapes, dtypes or contents cannot
/// be compared.
std::optional<Dim> differing_elements(const Tensor& a, const Tensor& b);

} // namespace gradus
