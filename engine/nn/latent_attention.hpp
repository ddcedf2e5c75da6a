#pragma once

#include "engine/nn/layers.hpp"
#include "engine/ops/attention.hpp"

#include <optional>

namespace gradus {

/// The widths of a multi-head latent attention, in the letters of its paper.
struct LatentAttentionShape {
    Dim channels = 0, heads = 1;
    Dim latent = 0;       ///< d_c: what keys and values are made of, and all that a cache holds of them
    Dim query_latent = 0; ///< d'_c: the same for queries; 0: they are projected at once
    Dim content = 0;      ///< features of a head's query and key that know nothing of positions (qk_nope_head_dim)
    Dim rotary = 0;       ///< d_h^R: features that are turned by their position, even (qk_rope_head_dim)
    Dim values = 0;       ///< features of a head's value (v_head_dim)
    bool causal = true;
    bool fused = false;    ///< flash_attention instead of its steps; needs values = content + rotary
    bool normalise = true; ///< RMSNorm of both latents, as the published models have it
    double rope_base = 1e4;
    RopePairs pairs = RopePairs::interleaved;
    double eps = 1e-6; ///< of the norms
};

/// Multi-head latent attention: keys and values of all heads come from one narrow latent, beside which only one rotary key, the
/// same for all heads, has to be kept of a token: latent + rotary numbers instead of 2 · heads · size.
///
///     c_q = norm(W_DQ x)    q_h = [W_UQ,h c_q ; rope(W_QR,h c_q)]            (without query_latent: x for c_q)
///     c   = norm(W_DKV x)   k_h = [W_UK,h c   ; rope(W_KR x)]   v_h = W_UV,h c
///     o_h = softmax(q_h k_hᵀ / √(content + rotary)) v_h         y = W_O [o_1 ; … ; o_H]
///
/// x (B, T, C), positions (T) int32 -> y (B, T, C). Projections without bias, named and cut as in the published weights:
/// q_a_proj (C, d'_c), q_b_proj (d'_c, H·(content + rotary)) or q_proj (C, …); kv_a_proj (C, latent + rotary), kv_b_proj
/// (latent, H·(content + values)), o_proj (H·values, C). Throws ArgumentError where a width is missing, rotary is odd, or fused
/// is asked for and does not fit; ShapeError for another x. Source: DeepSeek-AI 2024, DeepSeek-V2, section 2.1, arXiv
/// 2405.04434.
struct LatentAttention {
    LatentAttention(const Module& place, const LatentAttentionShape& shape);

    struct Output {
        ValueIndex y = no_value;
        ValueIndex latent = no_value;     ///< c (B, T, latent), as a cache keeps it
        ValueIndex rotary_key = no_value; ///< (B, 1, T, rotary), turned, as a cache keeps it
    };
    Output with_latent(ValueIndex x, ValueIndex positions) const;
    ValueIndex operator()(ValueIndex x, ValueIndex positions) const { return with_latent(x, positions).y; }

    Module module;
    LatentAttentionShape shape;
    std::optional<Projection> q_proj, q_a_proj;
    std::optional<RmsNorm> q_a_norm;
    std::optional<Projection> q_b_proj;
    Projection kv_a_proj;
    std::optional<RmsNorm> kv_a_norm;
    Projection kv_b_proj, o_proj;
};

} // namespace gradus
