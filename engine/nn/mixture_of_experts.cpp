#include "engine/nn/mixture_of_experts.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <cmath>
#include <fmt/format.h>

namespace gradus {

namespace {

const MixtureShape& checked(const MixtureShape& s) {
    if (s.channels < 1 || s.hidden < 1 || s.experts < 1)
        throw ArgumentError(fmt::format("a mixture of experts cannot have {} channels, {} hidden and {} experts", s.channels,
                                        s.hidden, s.experts));
    if (s.top_k < 1 || s.top_k > s.experts)
        throw ArgumentError(fmt::format("a token goes to 1 to {} experts, not {}", s.experts, s.top_k));
    return s;
}

/// Of E matrices that are drawn as that many projections would be.
ValueIndex matrices(const Module& place, const std::string& name, Dim experts, Dim in, Dim out) {
    return place.uniform(name + ".weight", {{experts, "E"}, {in, "in"}, {out, "out"}},
                         1.0 / std::sqrt(static_cast<double>(in)));
}

} // namespace

MixtureOfExperts::MixtureOfExperts(const Module& place, const MixtureShape& given) : module(place), shape(checked(given)) {
    router = module.uniform("router.weight", {{shape.channels, "in"}, {shape.experts, "E"}},
                            1.0 / std::sqrt(static_cast<double>(shape.channels)));
    if (shape.expert == MixtureShape::Expert::swiglu)
        gate = matrices(module, "experts.gate_proj", shape.experts, shape.channels, shape.hidden);
    up = matrices(module, "experts.up_proj", shape.experts, shape.channels, shape.hidden);
    down = matrices(module, "experts.down_proj", shape.experts, shape.hidden, shape.channels);
}

MixtureOfExperts::Output MixtureOfExperts::routed(ValueIndex x) const {
    Tape& tape = module.tape();
    const Shape in = tape.value(x).shape;
    if (in.rank() < 1 || in[in.rank() - 1] != shape.channels)
        throw ShapeError(fmt::format("a mixture of experts expects x (…, {}), but got {}", shape.channels, in.text()));
    const Dim C = shape.channels, E = shape.experts, K = shape.top_k;
    Dim N = 1;
    for (int axis = 0; axis + 1 < in.rank(); ++axis) N *= in[axis];
    x = module.enter(x);
    const auto dtype = static_cast<double>(tape.value(x).dtype);
    const ValueIndex tokens = in.rank() == 2 ? x : module.apply(ops::reshape(), {x}, "tokens", reshape_to({N, C}));

    // route
    Output out;
    const Module routing = module.part("router");
    const ValueIndex logits = routing.apply(ops::matmul(), {tokens, router}, "logits");
    out.probabilities = routing.apply(ops::softmax_along(), {logits}, "p", {1});
    const auto best = routing.apply(ops::top_k(), {out.probabilities}, std::vector<std::string>{"largest", "experts"},
                                    {static_cast<double>(K)});
    out.gates = best[0];
    out.experts = best[1];
    if (shape.normalise) {
        const ValueIndex sum = routing.apply(ops::sum(), {best[0]}, "sum", reduce_over({1}, true));
        out.gates = routing.apply(ops::divide(), {best[0], sum}, "gates");
    }

    // balance: f from counts, which have no gradient
    const ValueIndex experts = routing.apply(ops::reshape(), {out.experts}, "places", reshape_to({N * K}));
    const ValueIndex taken = routing.apply(ops::one_hot(), {experts}, "taken", {static_cast<double>(E), dtype});
    out.shares = routing.apply(ops::mean(), {taken}, "f", reduce_over({0}));
    const ValueIndex means = routing.apply(ops::mean(), {out.probabilities}, "P", reduce_over({0}));
    const ValueIndex products = routing.apply(ops::multiply(), {out.shares, means}, "f·P");
    out.balance_loss = routing.apply(ops::scale(), {routing.apply(ops::sum(), {products}, "Σ f·P", reduce_over({}))},
                                     "balance loss", {static_cast<double>(E)});

    // dispatch: places sorted by expert, stably, so that tokens keep their order
    std::vector<std::int32_t> owners(static_cast<std::size_t>(N * K));
    for (std::size_t i = 0; i < owners.size(); ++i) owners[i] = static_cast<std::int32_t>(i / static_cast<std::size_t>(K));
    const ValueIndex owner =
        tape.input(module.name() + ".owner", Tensor::from<std::int32_t>(tape.pool(), {{N * K, "place"}}, owners), Role::data);
    const ValueIndex keys = module.apply(ops::cast(), {experts}, "keys", {static_cast<double>(DType::f32)});
    const ValueIndex order = module.apply(ops::sort(), {keys}, std::vector<std::string>{"sorted keys", "order"})[1];
    const ValueIndex group = module.apply(ops::index_select(), {experts, order}, "group", {0});
    const ValueIndex token = module.apply(ops::index_select(), {owner, order}, "token", {0});
    const ValueIndex sent = module.apply(ops::index_select(), {tokens, token}, "dispatched", {0});

    // the experts, each on its rows
    const Module inside = module.part("experts");
    ValueIndex hidden = inside.apply(ops::grouped_matmul(), {sent, up, group}, "up");
    if (shape.expert == MixtureShape::Expert::swiglu) {
        const ValueIndex opened =
            inside.apply(ops::silu(), {inside.apply(ops::grouped_matmul(), {sent, gate, group}, "gate")}, "open");
        hidden = inside.apply(ops::multiply(), {opened, hidden}, "hidden");
    } else hidden = inside.apply(ops::gelu(), {hidden}, "hidden");
    const ValueIndex answers = inside.apply(ops::grouped_matmul(), {hidden, down, group}, "down");

    // combine: weighed by the gates and added up per token, in the order of the experts
    const ValueIndex flat = module.apply(ops::reshape(), {out.gates}, "weights", reshape_to({N * K}));
    const ValueIndex sorted = module.apply(ops::index_select(), {flat, order}, "sorted weights", {0});
    const ValueIndex column = module.apply(ops::reshape(), {sorted}, "weights column", reshape_to({N * K, 1}));
    const ValueIndex weighed = module.apply(ops::multiply(), {answers, column}, "weighed");
    const ValueIndex token_column = module.apply(ops::reshape(), {token}, "token column", reshape_to({N * K, 1}));
    const ValueIndex places = module.apply(ops::expand(), {token_column}, "token rows", reshape_to({N * K, C}));
    const std::vector<double> zeros(static_cast<std::size_t>(N * C));
    const ValueIndex none =
        tape.input(module.name() + ".none", Tensor::from_numbers(tape.pool(), {{N, "N"}, {C, "C"}}, tape.value(x).dtype, zeros),
                   Role::data);
    out.y = module.apply(ops::scatter_add(), {none, places, weighed}, in.rank() == 2 ? "out" : "combined", {0});
    if (in.rank() != 2) out.y = module.apply(ops::reshape(), {out.y}, "out", reshape_to(in));
    out.y = module.leave(out.y);
    return out;
}

} // namespace gradus
