#pragma once

#include "engine/autograd/tape.hpp"

#include <cstdint>
#include <string>

namespace gradus {

/// A fully connected layer: z = x · W + b, x (B, in), W (in, out), b (out).
struct Linear {
    ValueIndex weight = no_value;
    ValueIndex bias = no_value;
    ValueIndex output = no_value;
};

/// Initial W and b, uniform in ±1/√in (PyTorch's default for nn.Linear), drawn from (seed, layer).
struct LinearInit {
    Tensor weight, bias;
};
LinearInit init_linear(BufferPool& pool, Dim in, Dim out, DType dtype, std::uint64_t seed, int layer);

/// Appends the layer's two nodes. `number` (from 1) names its values W1, b1, z1.
Linear apply_linear(Tape& tape, ValueIndex x, ValueIndex weight, ValueIndex bias, int number);

} // namespace gradus
