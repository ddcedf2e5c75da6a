#include "engine/nn/containers.hpp"

#include "engine/ops/ops.hpp"

#include <utility>

namespace gradus {

Sequential::Sequential(const Module& place, std::vector<Layer> given) : module(place), layers(std::move(given)) {}

ValueIndex Sequential::operator()(ValueIndex x) const {
    x = module.enter(x);
    for (const Layer& layer : layers) x = layer(x);
    return module.leave(x);
}

Residual::Residual(const Module& place, Layer given, std::string name)
    : module(place), inner(std::move(given)), output(std::move(name)) {}

ValueIndex Residual::operator()(ValueIndex x) const { return module.apply(ops::add(), {x, inner(x)}, output); }

} // namespace gradus
