#pragma once

#include "tests/ops/rows/op_row.hpp"
#include "tests/ops/rows/row_tape.hpp"

#include <map>

namespace gradus::test {

/// What a type may be off by: ‖a − b‖₂ <= relative · ‖b‖₂; for fp16, whose numbers below 2^-14 are 2^-24 apart, an element that
/// small
/// counts with half of that instead.
struct Bound {
    double relative;
    double absolute = 0; ///< per element
};
/// fp32 1e-6, fp64 1e-12; one rounding of fp16 (2^-11) and bf16 (2^-8).
Bound bound_of(DType dtype);

/// ‖got − wanted‖₂ over what `bound` allows: accepted with <= 1, so that a NaN fails. Infinities must be equal, and where the
/// bound is 0, because every wanted number is, so must the rest. `every`: `wanted` holds every n-th element of `got`; a NaN
/// between them fails too.
double excess(const Tensor& got, const Tensor& wanted, Bound bound, Dim every = 1);

/// How many rounded tensors a result of a half type hangs on, itself included. A node of the tape whose outputs are exact does
/// not count.
struct Roundings {
    std::map<ValueIndex, int> whole;    ///< all
    std::map<ValueIndex, int> backward; ///< those of the backward phase
};

/// Compares every node of an executed tape of a half type with the same op in fp64 on the same, rounded inputs: each output must
/// be within one rounding of it. Returns what was rounded.
Roundings check_every_node(const RowTape& row, DType dtype, const std::shared_ptr<Device>& device);

/// Compares the results of an executed tape with PyTorch's. `roundings` is null for fp32 and fp64. Returns the worst share of
/// the bound that was used.
double check_against_golden(const OpRow& row, const RowTape& tape, DType dtype, const Roundings* roundings);

} // namespace gradus::test
