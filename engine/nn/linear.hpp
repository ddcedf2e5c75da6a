#pragma once

#include "engine/autograd/tape.hpp"

#include <cstdint>
#include <string>

namespace gradus {

/// A fully connected layer: z = x · W + b. x (B, in), W (in, out), b (out) -> z (B, out), in the unit of x times that of W, which is
/// b's. It throws nothing itself; see apply_linear. Source: torch.nn.Linear, whose weight is Wᵀ.
struct Linear {
    ValueIndex weight = no_value;
    ValueIndex bias = no_value;
    ValueIndex output = no_value;
};

/// Initial W (in, out) and b (out), uniform in ±1/√in (PyTorch's default for nn.Linear), drawn from (seed, layer): fp64 where
/// `dtype` is, else fp32. Source: torch.nn.Linear; Salmon et al. 2011 (Philox).
struct LinearInit {
    Tensor weight, bias;
};
LinearInit init_linear(BufferPool& pool, Dim in, Dim out, DType dtype, std::uint64_t seed, int layer);

/// Appends the layer's two nodes, matmul and add_bias. `number` (from 1) names its values W1, b1, z1. Throws ShapeError where x,
/// W and b do not fit each other in shape or type, UnavailableError where the device has no product of their
/// type.
Linear apply_linear(Tape& tape, ValueIndex x, ValueIndex weight, ValueIndex bias, int number);

} // namespace gradus
