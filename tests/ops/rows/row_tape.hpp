#pragma once

#include "engine/autograd/tape.hpp"
#include "tests/ops/rows/op_row.hpp"

namespace gradus::test {

/// A row written on a tape in one dtype: its inputs, its op, and what backward() appends for the row's ∂L/∂y.
struct RowTape {
    Tape tape;
    std::vector<ValueIndex> inputs;    ///< as the row's
    std::vector<ValueIndex> outputs;   ///< as the row's
    std::vector<ValueIndex> gradients; ///< of the inputs; no_value where none is wanted
};

/// Throws std::runtime_error for an op that all_ops() has not, and what the tape throws. `contiguous`: whatever the row's
/// layouts say.
RowTape written(const OpRow& row, DType dtype, const std::shared_ptr<Device>& device, bool contiguous = false);

/// Computes every node once; what no kernel has written before is NaN (an odd number where the type has none).
void execute(RowTape& row);
/// Computes the forward nodes alone.
void execute_forward(RowTape& row);

/// A result of a row: an output, or the gradient of an input. Its name is that of the golden tensor.
struct RowResult {
    std::string name; ///< "y", "dx"
    ValueIndex value;
    bool is_gradient;
    DType dtype; ///< as the row wants it
    Shape shape;
};
std::vector<RowResult> results_of(const OpRow& row, const RowTape& tape, DType dtype);

} // namespace gradus::test
