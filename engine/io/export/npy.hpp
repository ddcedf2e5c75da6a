#pragma once

#include "engine/core/dtype.hpp"
#include "engine/core/shape.hpp"

#include <string>

namespace gradus {

/// The header of an .npy file, version 1.0, of a row-major little-endian array; the data follow it. Its length is
/// a multiple of 64. Source: NumPy Enhancement Proposal 1.
std::string npy_header(DType dtype, const Shape& shape);

} // namespace gradus
