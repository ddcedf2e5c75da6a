#pragma once

#include "engine/core/tensor.hpp"
#include "tests/ops/rows/op_row.hpp"

namespace gradus::test {

/// The numbers of a kind in row-major order: the same as tests/golden/op_rows/rows.py makes of Philox(seed, stream).
/// Throws std::runtime_error for a kind nobody knows.
std::vector<double> made_numbers(const std::string& kind, const Shape& shape, std::uint64_t seed, std::uint64_t stream);

/// Numbers in memory as a layout says. What lies between the elements of a slice is NaN, or an index outside of everything.
Tensor laid_out(const std::vector<double>& numbers, const Shape& shape, DType dtype, const std::string& layout);

/// Input `i` of a row, laid out as it says or contiguous. Of an "expanded" one only the slice that axis 0 repeats, unless
/// contiguous.
Tensor input_of(const OpRow& row, std::size_t i, DType dtype, bool contiguous);
/// ∂L/∂y of output `i` of a row.
std::vector<double> upstream_of(const OpRow& row, std::size_t i);

/// The type of an input: int32 for an index, boolean for a mask, uint8 for bytes, else the row's.
DType dtype_of_kind(const std::string& kind, DType row);

} // namespace gradus::test
