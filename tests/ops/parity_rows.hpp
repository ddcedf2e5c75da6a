#pragma once

#include "tests/support/tensors.hpp"

#include <functional>

namespace gradus::test {

using Numbers = std::vector<double>;
using Inputs = std::vector<Numbers>; ///< as rounded to the row's dtype

struct Size {
    Dim rows, columns;
};
/// One element, odd, one row, one column, whole vectors, and enough to be cut among threads.
std::span<const Size> parity_sizes();

enum class Operand { matrix, column_vector, row_labels, unit_matrix, positive };
enum class Result { matrix, column_vector, scalar };

/// A kernel with its operands, its attributes, its reference and how close it must come in fp32 and fp64.
struct ParityRow {
    const char* kernel;
    std::vector<Operand> operands;
    std::vector<Result> results;
    std::vector<double> attributes;
    double tolerance_f32, tolerance_f64;
    std::function<std::vector<Numbers>(const Inputs&, Size)> reference;
};
/// The kernels of the lesson's ops. Products and gather have tests of their own.
std::vector<ParityRow> parity_rows();

Tensor operand(Operand kind, Size s, DType dtype, std::uint64_t seed);
std::vector<Tensor> run_row(const ParityRow& row, const Device& device, const std::vector<Tensor>& inputs, Size s, DType dtype);

} // namespace gradus::test
