#pragma once

#include "engine/trace/derive/log_histogram.hpp"
#include "engine/trace/run.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// What a gradient is of, in the order in which the backward pass reaches them in a layer.
enum class GradientKind : std::uint8_t { activation, preactivation, weight, bias };
constexpr std::size_t gradient_kinds = 4;

/// One gradient of a layer.
struct GradientSite {
    std::string value;    ///< "W2"
    std::string name;     ///< "dW2"; empty where the layer has none of this kind
    std::string formula;  ///< of the op that makes it
    std::string op;
    Shape shape;
};

struct GradientLayer {
    std::string module; ///< "layer2"
    std::array<GradientSite, gradient_kinds> gradients;
    const GradientSite& of(GradientKind kind) const { return gradients[static_cast<std::size_t>(kind)]; }
};

/// The layers of a Run whose gradients are recorded, from the output back to the input; empty for a Run without a
/// backward pass. A layer is a module of the forward pass; its biases are its parameters of one axis.
std::vector<GradientLayer> gradient_layers(const Run& run);

/// ‖∂‖₂ of each kind; none where the gradient is not kept.
using GradientNorms = std::array<std::optional<double>, gradient_kinds>;
std::vector<GradientNorms> gradient_norms(const std::vector<GradientLayer>& layers, const IterationTensors& tensors);

/// How far the iteration's update moved a parameter.
struct UpdateRatio {
    double step = 0;   ///< ‖θ' - θ‖₂
    double before = 0; ///< ‖θ‖₂
    double ratio() const { return step / before; }
};

/// Everything that one iteration says about a layer's gradients.
struct LayerFlow {
    GradientNorms norms;
    std::array<std::optional<UpdateRatio>, gradient_kinds> updates; ///< of weight and bias
    std::array<std::optional<LogHistogram>, gradient_kinds> sizes;
};
std::vector<LayerFlow> gradient_flow(const std::vector<GradientLayer>& layers, const IterationTensors& tensors);

} // namespace gradus
