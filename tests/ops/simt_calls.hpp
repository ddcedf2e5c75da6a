#pragma once

#include "tests/ops/parity_rows.hpp"

#include <string>

namespace gradus::test {

/// A call of a kernel, for two devices to compare.
struct Call {
    std::string op;
    std::vector<Tensor> inputs;
    std::vector<std::pair<Shape, DType>> outputs;
    std::vector<double> attributes = {};
    double looser = 1; ///< than the bound: a softmax sums a row in one chain
};

/// The parity table's in fp32.
std::vector<Call> table_calls(std::span<const Size> sizes);
/// Of kernels that the table has not.
std::vector<Call> further_calls();

/// Standard normal numbers in fp32.
inline Tensor normal(std::initializer_list<Dim> sizes, std::uint64_t seed) { return random_tensor(shape_of(sizes), DType::f32, seed); }

} // namespace gradus::test
