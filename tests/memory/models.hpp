#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/optim/optimizer.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus::test {

/// How a model of the tests is put on its tape.
struct ModelOptions {
    Optimizer::Settings optimizer{Optimizer::Kind::adam, 1e-3};
    int blocks_per_segment = 0; ///< of activation checkpointing; 0: none
    double dropout = 0;        ///< after each block
    DType dtype = DType::f32;
};

/// A model with its loss, gradients and updates on a tape of its own.
struct Model {
    std::shared_ptr<BufferPool> pool = std::make_shared<BufferPool>();
    std::unique_ptr<Tape> tape;
    std::vector<ValueIndex> parameters;
    ValueIndex loss = no_value;
    std::vector<NodeIndex> dropouts;
    std::unique_ptr<Optimizer> optimizer;
};

/// "mlp": 784-512-256-10, batch 128; "cnn": two convolutions with pools, batch 64 of 28 × 28; "gpt": four blocks of width 128 with
/// four heads, 8 × 64 tokens of 512; "gpt_in_steps": its attention in single steps; "residual_mlp": sixteen blocks x + down(relu(up(x)))
/// of width 64 and 4 × as wide inside, batch 64.
Model model_named(const std::string& name, const ModelOptions& options = {});

} // namespace gradus::test
