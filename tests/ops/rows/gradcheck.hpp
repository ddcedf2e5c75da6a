#pragma once

#include "tests/ops/rows/row_tape.hpp"

namespace gradus::test {

/// Compares the gradients of an executed fp64 tape, written with contiguous inputs, with central differences of L = Σ g · y:
/// some entries alone, and all together in
/// random directions.
void check_gradients(const OpRow& row, RowTape& tape);

} // namespace gradus::test
