#include "engine/nn/latent_attention.hpp"

#include "engine/core/error.hpp"
#include "engine/nn/attention.hpp"
#include "engine/ops/ops.hpp"

#include <fmt/format.h>

namespace gradus {

namespace {

const LatentAttentionShape& checked(const LatentAttentionShape& s) {
    const std::pair<const char*, Dim> widths[] = {{"channels", s.channels}, {"heads", s.heads},   {"latent", s.latent},
                                                  {"content", s.content},   {"rotary", s.rotary}, {"values", s.values}};
    for (const auto& [name, width] : widths)
        if (width < 1) throw ArgumentError(fmt::format("latent attention needs {} of at least 1, not {}", name, width));
    if (s.query_latent < 0) throw ArgumentError("latent attention needs query_latent of at least 0");
    if (s.rotary % 2 != 0)
        throw ArgumentError(fmt::format("latent attention turns features in pairs, so rotary must be even, not {}", s.rotary));
    if (s.fused && s.values != s.content + s.rotary)
        throw ArgumentError(fmt::format("fused latent attention needs values of {} features, as queries have, not {}",
                                        s.content + s.rotary, s.values));
    return s;
}

std::optional<RmsNorm> norm_of(const Module& place, Dim channels, const LatentAttentionShape& shape) {
    if (!shape.normalise) return {};
    return RmsNorm(place, channels, shape.eps);
}

} // namespace

LatentAttention::LatentAttention(const Module& place, const LatentAttentionShape& given)
    : module(place), shape(checked(given)),
      kv_a_proj(place.part("kv_a_proj"), given.channels, given.latent + given.rotary, false),
      kv_a_norm(norm_of(place.part("kv_a_norm"), given.latent, given)),
      kv_b_proj(place.part("kv_b_proj"), given.latent, given.heads * (given.content + given.values), false),
      o_proj(place.part("o_proj"), given.heads * given.values, given.channels, false) {
    const Dim width = given.heads * (given.content + given.rotary);
    if (given.query_latent == 0) {
        q_proj.emplace(place.part("q_proj"), given.channels, width, false);
        return;
    }
    q_a_proj.emplace(place.part("q_a_proj"), given.channels, given.query_latent, false);
    q_a_norm = norm_of(place.part("q_a_norm"), given.query_latent, given);
    q_b_proj.emplace(place.part("q_b_proj"), given.query_latent, width, false);
}

LatentAttention::Output LatentAttention::with_latent(ValueIndex x, ValueIndex positions) const {
    const Shape in = module.tape().value(x).shape;
    if (in.rank() != 3 || in[2] != shape.channels)
        throw ShapeError(fmt::format("latent attention expects x (B, T, {}), but got {}", shape.channels, in.text()));
    const Dim B = in[0], T = in[1], H = shape.heads;
    x = module.enter(x);
    // (B, T, H·D) -> (B, H, T, D)
    const auto heads_of = [&](ValueIndex rows, Dim size, const std::string& name) {
        const ValueIndex split = module.apply(ops::reshape(), {rows}, name + " split", reshape_to({B, T, H, size}));
        return module.apply(ops::permute(), {split}, name + " heads", permute_to({0, 2, 1, 3}));
    };
    const auto part_of = [&](ValueIndex whole, int axis, Dim from, Dim size, const std::string& name) {
        return module.apply(ops::slice(), {whole}, name, slice_of(axis, from, from + size));
    };
    const auto turned = [&](ValueIndex heads, const std::string& name) {
        return module.apply(ops::rope(), {heads, positions}, name, {shape.rope_base, static_cast<double>(shape.pairs)});
    };

    ValueIndex rows = x;
    if (q_a_proj) rows = (*q_a_proj)(x);
    if (q_a_norm) rows = (*q_a_norm)(rows);
    const ValueIndex q_heads = heads_of(q_proj ? (*q_proj)(x) : (*q_b_proj)(rows), shape.content + shape.rotary, "q");
    const ValueIndex q_content = part_of(q_heads, 3, 0, shape.content, "q content");
    const ValueIndex q_rotary = turned(part_of(q_heads, 3, shape.content, shape.rotary, "q straight"), "q rotary");
    const ValueIndex q = module.apply(ops::concat(), {q_content, q_rotary}, "q", {3});

    Output out;
    const ValueIndex narrow = kv_a_proj(x);
    out.latent = part_of(narrow, 2, 0, shape.latent, "latent");
    if (kv_a_norm) out.latent = (*kv_a_norm)(out.latent);
    const ValueIndex straight = part_of(narrow, 2, shape.latent, shape.rotary, "k straight");
    out.rotary_key =
        turned(module.apply(ops::reshape(), {straight}, "k one head", reshape_to({B, 1, T, shape.rotary})), "k rotary");

    const ValueIndex kv_heads = heads_of(kv_b_proj(out.latent), shape.content + shape.values, "kv");
    const ValueIndex k_content = part_of(kv_heads, 3, 0, shape.content, "k content");
    const ValueIndex v = part_of(kv_heads, 3, shape.content, shape.values, "v");
    const ValueIndex shared =
        module.apply(ops::expand(), {out.rotary_key}, "k rotary shared", reshape_to({B, H, T, shape.rotary}));
    const ValueIndex k = module.apply(ops::concat(), {k_content, shared}, "k", {3});

    const AttentionSettings settings{shape.causal, 0}; // 1/√(content + rotary)
    const std::string prefix = module.name() + ".";
    const ValueIndex o = shape.fused ? fused_attention(module.tape(), module.name(), q, k, v, settings, prefix)
                                     : attention_in_steps(module.tape(), module.name(), q, k, v, settings, prefix).output;
    const ValueIndex together = module.apply(ops::permute(), {o}, "o rows", permute_to({0, 2, 1, 3}));
    out.y = module.leave(o_proj(module.apply(ops::reshape(), {together}, "o joined", reshape_to({B, T, H * shape.values}))));
    return out;
}

} // namespace gradus
