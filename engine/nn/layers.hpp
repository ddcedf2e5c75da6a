#pragma once

#include "engine/core/window2d.hpp"
#include "engine/nn/module.hpp"

namespace gradus {

/// Layers that own their parameters; calling one puts its nodes on the tape and returns its output. Initial values are PyTorch's.

/// y = x · W + b. x (…, in) of two axes and more, W (in, out), b (out) or none -> (…, out). W and b uniform in ±1/√in.
struct Projection {
    Projection(const Module& place, Dim in, Dim out, bool with_bias = true);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    ValueIndex weight = no_value, bias = no_value;
};

/// Convolution of images: see conv2d. x (N, C, H, W) -> (N, O, H', W'). Weight (O, C/groups, kernel_h, kernel_w) and bias (O)
/// uniform in ±1/√(C/groups · kernel_h · kernel_w).
struct Conv2d {
    Conv2d(const Module& place, Dim channels, Dim outputs, Window2d window, bool with_bias = true);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    Window2d window; ///< with its kernel sizes
    ValueIndex weight = no_value, bias = no_value;
};

/// Normalises each channel over the batch: see batch_norm. Weight 1, bias 0, running mean 0, running variance 1.
struct BatchNorm {
    BatchNorm(const Module& place, Dim channels, double eps = 1e-5, double momentum = 0.1);
    /// The batch's own statistics; carry() then lets the running ones follow.
    ValueIndex operator()(ValueIndex x);
    /// The running statistics, as after training.
    ValueIndex infer(ValueIndex x) const;
    /// Appends the update of the running statistics to the tape's update phase.
    void carry() const;

    Module module;
    double eps, momentum;
    ValueIndex weight = no_value, bias = no_value, running_mean = no_value, running_var = no_value;
    NodeIndex node = -1; ///< of the last call
};

/// Normalises each row: see layer_norm. x (…, C). Weight 1, bias 0.
struct LayerNorm {
    LayerNorm(const Module& place, Dim channels, double eps = 1e-5);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    double eps;
    ValueIndex weight = no_value, bias = no_value;
};

/// Divides each row by its root mean square: see rms_norm. x (…, C). Weight 1.
struct RmsNorm {
    RmsNorm(const Module& place, Dim channels, double eps = 1e-6);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    double eps;
    ValueIndex weight = no_value;
};

/// A row of the table for each index: index (…) int32 -> (…, C). Table (V, C) normal with deviation 1.
struct Embedding {
    Embedding(const Module& place, Dim rows, Dim channels, double deviation = 1);
    ValueIndex operator()(ValueIndex index) const;

    Module module;
    ValueIndex table = no_value;
};

/// Sets entries to 0 with probability p while training: see dropout. Its masks come from `seed` and the step.
struct Dropout {
    Dropout(const Module& place, double p, std::uint32_t seed);
    ValueIndex operator()(ValueIndex x);
    /// Draws the masks of this step in all nodes it has put on the tape.
    void set_step(std::int64_t step) const;

    Module module;
    double p;
    std::uint32_t seed;
    std::vector<NodeIndex> nodes;
};

} // namespace gradus
