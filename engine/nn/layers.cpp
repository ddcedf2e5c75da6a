#include "engine/nn/layers.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gradus {

Projection::Projection(const Module& place, Dim in, Dim out, bool with_bias) : module(place) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(in)); // sqrt is exact on every machine
    weight = module.uniform("weight", {{in, "in"}, {out, "out"}}, bound);
    if (with_bias) bias = module.uniform("bias", {{out, "out"}}, bound);
}

ValueIndex Projection::operator()(ValueIndex x) const {
    x = module.enter(x);
    const bool matrix = module.tape().value(x).shape.rank() == 2;
    const ValueIndex product =
        module.apply(matrix ? ops::matmul() : ops::batched_matmul(), {x, weight}, bias == no_value ? "out" : "product");
    if (bias == no_value) return module.leave(product);
    // one op with the product in PyTorch (addmm), and so of its type under autocast
    const ValueIndex added = module.tape().in_type(bias, module.tape().value(product).dtype, module.name());
    return module.leave(module.apply(ops::add(), {product, added}, "out"));
}

Conv2d::Conv2d(const Module& place, Dim channels, Dim outputs, Window2d given, bool with_bias) : module(place), window(given) {
    if (window.groups < 1 || channels % window.groups != 0)
        throw ArgumentError(fmt::format("{} channels cannot be cut into {} groups", channels, window.groups));
    const Dim inner = channels / window.groups;
    const double bound = 1.0 / std::sqrt(static_cast<double>(inner * window.kernel_h * window.kernel_w));
    weight = module.uniform("weight", {{outputs, "O"}, {inner, "C"}, {window.kernel_h, "kh"}, {window.kernel_w, "kw"}}, bound);
    if (with_bias) bias = module.uniform("bias", {{outputs, "O"}}, bound);
}

ValueIndex Conv2d::operator()(ValueIndex x) const {
    std::vector<ValueIndex> inputs{module.enter(x), weight};
    if (bias != no_value) inputs.push_back(bias);
    Window2d moved = window; // the weight's shape gives the kernel
    moved.kernel_h = moved.kernel_w = 0;
    return module.leave(module.apply(ops::conv2d(), std::move(inputs), "out", moved.attributes()));
}

BatchNorm::BatchNorm(const Module& place, Dim channels, double e, double m) : module(place), eps(e), momentum(m) {
    const Shape shape{{channels, "C"}};
    weight = module.constant("weight", shape, 1);
    bias = module.constant("bias", shape, 0);
    running_mean = module.buffer("running_mean", shape, 0);
    running_var = module.buffer("running_var", shape, 1);
}

ValueIndex BatchNorm::operator()(ValueIndex x) {
    const auto made = module.apply(ops::batch_norm(), {module.enter(x), weight, bias, running_mean, running_var},
                                   std::vector<std::string>{"out", "mean", "rstd", "new_mean", "new_var"}, {eps, momentum});
    node = module.tape().value(made[0]).producer;
    return module.leave(made[0]);
}

ValueIndex BatchNorm::infer(ValueIndex x) const {
    return module.leave(
        module.apply(ops::batch_norm_inference(), {module.enter(x), weight, bias, running_mean, running_var}, "out", {eps}));
}

void BatchNorm::carry() const { carry_running_statistics(module.tape(), node); }

LayerNorm::LayerNorm(const Module& place, Dim channels, double e) : module(place), eps(e) {
    weight = module.constant("weight", {{channels, "C"}}, 1);
    bias = module.constant("bias", {{channels, "C"}}, 0);
}

ValueIndex LayerNorm::operator()(ValueIndex x) const {
    const std::vector<std::string> names{"out", "mean", "rstd"};
    return module.leave(module.apply(ops::layer_norm(), {module.enter(x), weight, bias}, names, {eps})[0]);
}

RmsNorm::RmsNorm(const Module& place, Dim channels, double e) : module(place), eps(e) {
    weight = module.constant("weight", {{channels, "C"}}, 1);
}

ValueIndex RmsNorm::operator()(ValueIndex x) const {
    const std::vector<std::string> names{"out", "rstd"};
    return module.leave(module.apply(ops::rms_norm(), {module.enter(x), weight}, names, {eps})[0]);
}

Embedding::Embedding(const Module& place, Dim rows, Dim channels, double deviation) : module(place) {
    table = module.normal("weight", {{rows, "V"}, {channels, "C"}}, deviation);
}

ValueIndex Embedding::operator()(ValueIndex index) const {
    return module.leave(module.apply(ops::embedding(), {table, module.enter(index)}, "out"));
}

Dropout::Dropout(const Module& place, double probability, std::uint32_t given) : module(place), p(probability), seed(given) {}

ValueIndex Dropout::operator()(ValueIndex x) {
    const auto made =
        module.apply(ops::dropout(), {module.enter(x)}, std::vector<std::string>{"out", "mask"}, {p, static_cast<double>(seed), 0});
    nodes.push_back(module.tape().value(made[0]).producer);
    return module.leave(made[0]);
}

void Dropout::set_step(std::int64_t step) const {
    for (const NodeIndex node : nodes) module.tape().set_attribute(node, 2, static_cast<double>(step));
}

} // namespace gradus
