#pragma once

#include "engine/autograd/tape.hpp"

#include <string>

namespace gradus {

/// What attention is called with.
struct AttentionSettings {
    bool causal = false; ///< a query sees the keys up to its own row
    double scale = 0;    ///< 0: 1/√D
};

/// The values of attention in single steps. Where queries share key heads, the steps have the heads as two axes (G, H/G).
struct AttentionSteps {
    ValueIndex scores = no_value;  ///< q·kᵀ (B, H, T, S)
    ValueIndex scaled = no_value;  ///< scale · scores
    ValueIndex masked = no_value;  ///< -∞ where a key is not seen; `scaled` itself where all are
    ValueIndex weights = no_value; ///< softmax over the keys
    ValueIndex output = no_value;  ///< weights · v (B, H, T, D), named "o"
};

/// Scaled dot-product attention, o = softmax(scale · q·kᵀ + mask) · v, as the five nodes that it is made of; nothing is fused. q
/// (B, H, T, D), k and v (B, G, S, D), H a multiple of G: G = H is multi-head, G = 1 multi-query, else grouped-query attention;
/// head h uses key head h / (H/G) -> o (B, H, T, D), in the unit of v. Gradients are those of the nodes. `prefix` comes before
/// the names of the values. Throws ShapeError where shapes do not fit. Sources: Vaswani et al. 2017; Shazeer 2019 (multi-query);
/// Ainslie et al. 2023 (grouped-query).
AttentionSteps attention_in_steps(Tape& tape, const std::string& module, ValueIndex q, ValueIndex k, ValueIndex v,
                                  AttentionSettings settings = {}, const std::string& prefix = {});

/// The same as one node, which never holds the scores: flash_attention. q (B, H, T, D), k and v (B, G, S, D) -> o (B, H, T, D),
/// named `prefix` + "o"; beside it stands `prefix` + "lse" (B, H, T). Throws ShapeError where shapes do not fit. Source: Dao et
/// al. 2022.
ValueIndex fused_attention(Tape& tape, const std::string& module, ValueIndex q, ValueIndex k, ValueIndex v,
                           AttentionSettings settings = {}, const std::string& prefix = {});

} // namespace gradus
