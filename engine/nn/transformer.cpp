#include "engine/nn/transformer.hpp"

#include "engine/core/error.hpp"
#include "engine/nn/containers.hpp"
#include "engine/ops/ops.hpp"

#include <fmt/format.h>

namespace gradus {

FeedForward::FeedForward(const Module& place, Dim channels, Dim hidden, const Op* given, bool with_bias)
    : module(place), activation(given ? given : &ops::gelu()), up(place.part("up_proj"), channels, hidden, with_bias),
      down(place.part("down_proj"), hidden, channels, with_bias) {}

ValueIndex FeedForward::operator()(ValueIndex x) const {
    return module.leave(down(module.apply(*activation, {up(module.enter(x))}, "hidden")));
}

SwiGlu::SwiGlu(const Module& place, Dim channels, Dim hidden)
    : module(place), gate(place.part("gate_proj"), channels, hidden, false), up(place.part("up_proj"), channels, hidden, false),
      down(place.part("down_proj"), hidden, channels, false) {}

ValueIndex SwiGlu::operator()(ValueIndex x) const {
    x = module.enter(x);
    const ValueIndex opened = module.apply(ops::silu(), {gate(x)}, "gate");
    return module.leave(down(module.apply(ops::multiply(), {opened, up(x)}, "hidden")));
}

namespace {

const AttentionShape& checked(const AttentionShape& s) {
    if (s.heads < 1 || s.key_heads < 1 || s.channels % s.heads != 0 || s.heads % s.key_heads != 0)
        throw ShapeError(
            fmt::format("attention over {} channels cannot have {} heads and {} key heads", s.channels, s.heads, s.key_heads));
    return s;
}

} // namespace

SelfAttention::SelfAttention(const Module& place, const AttentionShape& given)
    : module(place), shape(checked(given)), q_proj(place.part("q_proj"), given.channels, given.channels, given.with_bias),
      k_proj(place.part("k_proj"), given.channels, given.channels / given.heads * given.key_heads, given.with_bias),
      v_proj(place.part("v_proj"), given.channels, given.channels / given.heads * given.key_heads, given.with_bias),
      o_proj(place.part("o_proj"), given.channels, given.channels, given.with_bias) {}

ValueIndex SelfAttention::operator()(ValueIndex x, ValueIndex positions) const {
    const Shape in = module.tape().value(x).shape;
    if (in.rank() != 3) throw ShapeError(fmt::format("attention expects x (B, T, C), but got {}", in.text()));
    if (shape.rope_base && positions == no_value) throw ArgumentError("attention with rotary positions needs the positions");
    x = module.enter(x);
    const Dim size = shape.channels / shape.heads;
    // (B, T, H·D) -> (B, H, T, D)
    const auto heads_of = [&](const Projection& projection, Dim heads, const std::string& name, bool turned) {
        const ValueIndex split =
            module.apply(ops::reshape(), {projection(x)}, name + " split", reshape_to({in[0], in[1], heads, size}));
        const ValueIndex apart = module.apply(ops::permute(), {split}, turned ? name + " heads" : name, permute_to({0, 2, 1, 3}));
        if (!turned) return apart;
        return module.apply(ops::rope(), {apart, positions}, name, {*shape.rope_base, static_cast<double>(RopePairs::halves)});
    };
    const bool turned = shape.rope_base.has_value();
    const ValueIndex q = heads_of(q_proj, shape.heads, "q", turned), k = heads_of(k_proj, shape.key_heads, "k", turned),
                     v = heads_of(v_proj, shape.key_heads, "v", false);
    const AttentionSettings settings{shape.causal, 0};
    const std::string prefix = module.name() + ".";
    const ValueIndex o = shape.fused ? fused_attention(module.tape(), module.name(), q, k, v, settings, prefix)
                                     : attention_in_steps(module.tape(), module.name(), q, k, v, settings, prefix).output;
    const ValueIndex together = module.apply(ops::permute(), {o}, "o rows", permute_to({0, 2, 1, 3}));
    return module.leave(o_proj(module.apply(ops::reshape(), {together}, "o joined", reshape_to(in))));
}

namespace {

using Norm = std::variant<LayerNorm, RmsNorm>;
using Mlp = std::variant<FeedForward, SwiGlu>;

Norm norm_of(const Module& place, Dim channels, TransformerBlock::Style style) {
    return style == TransformerBlock::Style::gpt ? Norm(LayerNorm(place, channels)) : Norm(RmsNorm(place, channels));
}
Mlp mlp_of(const Module& place, Dim channels, Dim hidden, TransformerBlock::Style style) {
    return style == TransformerBlock::Style::gpt ? Mlp(FeedForward(place, channels, hidden))
                                                 : Mlp(SwiGlu(place, channels, hidden));
}

} // namespace

TransformerBlock::TransformerBlock(const Module& place, const AttentionShape& given, Dim hidden, Style style)
    : module(place), attention_norm(norm_of(place.part("attention_norm"), given.channels, style)),
      mlp_norm(norm_of(place.part("mlp_norm"), given.channels, style)), attention(place.part("attn"), given),
      mlp(mlp_of(place.part("mlp"), given.channels, hidden, style)) {}

ValueIndex TransformerBlock::operator()(ValueIndex x, ValueIndex positions) const {
    const auto called = [](const auto& layer, ValueIndex value) {
        return std::visit([&](const auto& one) { return one(value); }, layer);
    };
    const Residual first(module, [&](ValueIndex at) { return attention(called(attention_norm, at), positions); }, "middle");
    const Residual second(module, [&](ValueIndex at) { return called(mlp, called(mlp_norm, at)); });
    return module.leave(second(first(module.enter(x))));
}

} // namespace gradus
