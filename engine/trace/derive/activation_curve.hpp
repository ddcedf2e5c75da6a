#pragma once

#include "engine/backend/registry.hpp"
#include "engine/core/dtype.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace gradus {

/// Every op that can stand between two layers, in the order of a lesson: step, sigmoid, tanh, relu, gelu, silu.
std::span<const std::string_view> activation_ops();
bool is_activation(std::string_view op);

/// A function y(z) of one number and its derivative, at `z` in ascending order; as many of each.
struct ActivationCurve {
    std::vector<double> z, y, slope; ///< slope: dy/dz
};

/// `points` numbers from `least` to `most`, equally far apart, both ends among them.
std::vector<double> even_grid(double least, double most, std::size_t points);

/// An activation as a net computes it: y by the op's kernel, dy/dz by its backward kernel, to which a gradient of 1
/// arrives, in the precision of `dtype`. z is rounded to that precision, too.
/// Throws ArgumentError for an op that is no activation.
ActivationCurve activation_curve(std::string_view op, std::span<const double> z, std::shared_ptr<Device> device, DType dtype);

} // namespace gradus
