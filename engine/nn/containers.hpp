#pragma once

#include "engine/nn/module.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gradus {

/// Any layer as a function that puts its nodes on the tape: value in, value out. A layer that is wrapped in one is copied.
using Layer = std::function<ValueIndex(ValueIndex x)>;

/// y = f_n(… f_2(f_1(x))): layers one after the other, each reading what the one before it gives. x as f_1 takes it -> y as f_n
/// gives it, in its unit; x itself where there is none. Hooks on its name see x and y. Throws what the layers throw. Source:
/// torch.nn.Sequential.
///
///     Sequential net(place, {Projection(place.part("0"), 784, 128), [&](ValueIndex x) { return place.apply(ops::relu(), {x}, "1"); },
///                            Projection(place.part("2"), 128, 10)});
struct Sequential {
    Sequential(const Module& place, std::vector<Layer> layers);
    ValueIndex operator()(ValueIndex x) const;
    void append(Layer layer) { layers.push_back(std::move(layer)); }

    Module module;
    std::vector<Layer> layers;
};

/// y = x + f(x): the layer learns what is to be added to its input, and ∂x = ∂y + ∂f/∂x · ∂y keeps a path on which nothing is
/// multiplied. x (…) -> y of x's shape, in the unit of x, which f(x) must have too. Throws ShapeError where f(x) cannot be added
/// to x. Source: He et al. 2016, Deep Residual Learning for Image Recognition.
struct Residual {
    /// `output` names y after the module: "block1.middle".
    Residual(const Module& place, Layer inner, std::string output = "out");
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    Layer inner;
    std::string output;
};

} // namespace gradus
