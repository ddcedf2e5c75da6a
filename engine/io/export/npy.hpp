#pragma once

#include "engine/core/dtype.hpp"
#include "engine/core/shape.hpp"

#include <string>

namespace gradus {

/// The type in which an array is written: its own, but fp32 for bf16, which NumPy does not have. Every bf16 is an fp32, so
/// nothing is lost.
DType npy_type(DType dtype);
/// The header of an .npy file, version 1.0, of a row-major little-endian array; the data follow it, of npy_type(dtype). Its length
/// is a multiple of 64. Source: NumPy Enhancement Proposal 1.
std::string npy_header(DType dtype, const Shape& shape);

} // namespace gradus
