#pragma once

#include "engine/core/window2d.hpp"
#include "engine/nn/module.hpp"

namespace gradus {

/// Layers that own their parameters, of the module's floating type; calling one puts its nodes on the tape, of which gradients go
/// back to x and the parameters, and returns its output. Initial values are PyTorch's. A call throws what its ops throw: ShapeError
/// for an x that does not fit, Error when an op meets an index out of range.

/// y = x · W + b. x (…, in) of two axes and more, W (in, out), b (out) or none -> y (…, out), in the unit of x times that of W. W
/// and b start uniform in ±1/√in. A call throws ShapeError where x's last axis is not `in`. Source: torch.nn.Linear, whose weight
/// is Wᵀ.
struct Projection {
    Projection(const Module& place, Dim in, Dim out, bool with_bias = true);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    ValueIndex weight = no_value, bias = no_value;
};

/// y = conv2d(x, w, b), a convolution of images. x (N, C, H, W) -> y (N, O, H', W') with
/// H' = ⌊(H + 2p - d·(kh - 1) - 1) / s⌋ + 1, in the unit of x times that of w. Weight (O, C/groups, kernel_h, kernel_w) and bias
/// (O) start uniform in ±1/√(C/groups · kernel_h · kernel_w). A call throws ShapeError where conv2d does. Source:
/// torch.nn.Conv2d.
struct Conv2d {
    Conv2d(const Module& place, Dim channels, Dim outputs, Window2d window, bool with_bias = true);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    Window2d window; ///< with its kernel sizes
    ValueIndex weight = no_value, bias = no_value;
};

/// y = (x - mean) / √(var + eps) · w + b, each channel over the batch: see batch_norm. x (N, C, …) -> y as x, in the unit of w.
/// Weight 1, bias 0, running mean 0, running variance 1 at first; eps in the unit of x squared, momentum a share in [0, 1]. A
/// call throws ShapeError where batch_norm does, as for a single value per channel. Source: Ioffe and Szegedy 2015;
/// torch.nn.BatchNorm2d.
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

/// y = (x - mean) / √(var + eps) · w + b, each row on its own: see layer_norm. x (…, C) -> y as x, in the unit of w. Weight 1,
/// bias 0 at first; eps in the unit of x squared. A call throws ShapeError where x's last axis is not C. Source: Ba, Kiros and
/// Hinton 2016.
struct LayerNorm {
    LayerNorm(const Module& place, Dim channels, double eps = 1e-5);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    double eps;
    ValueIndex weight = no_value, bias = no_value;
};

/// y = x / √(mean x² + eps) · w, each row by its root mean square: see rms_norm. x (…, C) -> y as x, in the unit of w. Weight 1 at
/// first; eps in the unit of x squared. A call throws ShapeError where x's last axis is not C. Source: Zhang and Sennrich 2019.
struct RmsNorm {
    RmsNorm(const Module& place, Dim channels, double eps = 1e-6);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    double eps;
    ValueIndex weight = no_value;
};

/// y_i = table_index(i), a row of the table for each index. index (…) int32 -> y (…, C), in the unit of the table, which is
/// (V, C) and starts normal with `deviation`. A call throws ShapeError for another index; Error when it runs where one lies
/// outside [0, V). Source: torch.nn.Embedding.
struct Embedding {
    Embedding(const Module& place, Dim rows, Dim channels, double deviation = 1);
    ValueIndex operator()(ValueIndex index) const;

    Module module;
    ValueIndex table = no_value;
};

/// y = m · x / (1 - p), m 1 with probability 1 - p, else 0: see dropout. x of any shape -> y of x's shape, in the unit of x. For
/// training alone; its masks come from `seed` and the step. A call throws ShapeError for p outside [0, 1]. Source: Srivastava et
/// al. 2014.
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
