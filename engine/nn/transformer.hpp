#pragma once

#include "engine/nn/attention.hpp"
#include "engine/nn/layers.hpp"

#include <optional>
#include <variant>

namespace gradus {

/// y = W_down · f(W_up · x): two projections around an activation (gelu where none is given). x (…, C) -> y (…, C), `hidden` in
/// between; unitless. A call throws ShapeError where x's last axis is not C. Source: Vaswani et al. 2017, section 3.3, with ReLU.
struct FeedForward {
    FeedForward(const Module& place, Dim channels, Dim hidden, const Op* activation = nullptr, bool with_bias = true);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    const Op* activation;
    Projection up, down;
};

/// y = W_down · (silu(W_gate · x) ⊙ W_up · x), no biases. x (…, C) -> y (…, C), `hidden` in between; unitless. A call throws
/// ShapeError where x's last axis is not C. Source: Shazeer 2020, GLU Variants Improve Transformer.
struct SwiGlu {
    SwiGlu(const Module& place, Dim channels, Dim hidden);
    ValueIndex operator()(ValueIndex x) const;

    Module module;
    Projection gate, up, down;
};

/// What a self-attention is made of. key_heads = heads is multi-head, 1 multi-query, between them grouped-query attention.
struct AttentionShape {
    Dim channels = 0, heads = 1, key_heads = 1;
    bool causal = true;
    bool fused = false;     ///< flash_attention instead of its steps
    bool with_bias = false; ///< of the four projections
    /// Turns queries and keys by their positions, features i and i + D/2 together; none: positions do not matter.
    std::optional<double> rope_base = {};
};

/// y = W_o · [o_1 ; … ; o_H], o_h = softmax(q_h · k_hᵀ / √D) · v_h with q = W_q · x, k = W_k · x, v = W_v · x: queries, keys and
/// values from one x, attention per head, and the output's projection. x (B, T, C), positions (T) int32 where there is a rope
/// -> y (B, T, C); unitless. Throws ShapeError where the heads do not divide the channels or the key heads the heads; a call
/// ShapeError for another x, ArgumentError where positions are missing. Source: Vaswani et al. 2017, section 3.2.2.
struct SelfAttention {
    SelfAttention(const Module& place, const AttentionShape& shape);
    ValueIndex operator()(ValueIndex x, ValueIndex positions = no_value) const;

    Module module;
    AttentionShape shape;
    Projection q_proj, k_proj, v_proj, o_proj;
};

/// z = x + attn(norm(x)), y = z + mlp(norm(z)): a pre-norm Transformer block with RMSNorm and SwiGLU, or with LayerNorm and a
/// GELU MLP. x (B, T, C), positions (T) int32 where there is a rope -> y (B, T, C); unitless. Throws what SelfAttention throws.
/// Sources: Vaswani et al. 2017; Xiong et al. 2020 (pre-norm); Touvron et al. 2023 (RMSNorm, SwiGLU, rope).
struct TransformerBlock {
    enum class Style : std::uint8_t { gpt, llama }; ///< LayerNorm and GELU, or RMSNorm and SwiGLU
    TransformerBlock(const Module& place, const AttentionShape& shape, Dim hidden, Style style);
    ValueIndex operator()(ValueIndex x, ValueIndex positions = no_value) const;

    Module module;
    std::variant<LayerNorm, RmsNorm> attention_norm, mlp_norm;
    SelfAttention attention;
    std::variant<FeedForward, SwiGlu> mlp;
};

} // namespace gradus
