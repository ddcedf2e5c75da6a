#pragma once

#include "engine/nn/module.hpp"

namespace gradus {

/// What a mixture of experts is made of.
struct MixtureShape {
    enum class Expert : std::uint8_t {
        swiglu, ///< W_down (silu(W_gate x) ⊙ W_up x)
        mlp,    ///< W_down gelu(W_up x)
    };
    Dim channels = 0, hidden = 0;
    Dim experts = 1; ///< E
    Dim top_k = 1;   ///< K, 1 to E
    Expert expert = Expert::swiglu;
    /// Whether the K weights of a token are divided by their sum (Mixtral, DeepSeek-V3); else they are the router's
    /// probabilities (Switch, DeepSeek-V2).
    bool normalise = true;
};

/// A sparse layer: each token goes through the K experts to which its router gives the largest probabilities.
///
///     p = softmax(W_router x)                      E probabilities for each of the N tokens
///     (g, e) = top_k(p), g ← g / Σ g if asked for   of two alike the expert with the lower number; ∂ goes through g
///     y = Σ_k g_k · expert_e_k(x)
///     L_balance = E · Σ_e f_e · P_e                f_e: the share of the N·K places that e got (no gradient), P_e: the mean p_e
///
/// L_balance is 1 where all experts get alike, E at the worst for K = 1; it is to be added to the loss with a small factor
/// (Switch: 0.01). No expert has a capacity: no token is dropped. On the tape: the N·K places are sorted by expert, index_select
/// brings the tokens there (dispatch), grouped_matmul computes all experts at once, and scatter_add adds their results up per
/// token (combine). x (…, C), N tokens in all -> y of x's shape; unitless, p, g and f shares in [0, 1]. Throws ArgumentError for
/// widths or a K that do not fit, ShapeError for another x. Sources: Shazeer et al. 2017 (top-k); Fedus, Zoph and Shazeer 2021,
/// Switch Transformer, equations 4 to 6 (L_balance for K = 1); DeepSeek-AI 2024, arXiv 2405.04434, equations 23 to 25
/// (for any K); Jiang et al. 2024, Mixtral (normalised weights).
struct MixtureOfExperts {
    MixtureOfExperts(const Module& place, const MixtureShape& shape);

    struct Output {
        ValueIndex y = no_value;
        ValueIndex balance_loss = no_value;  ///< ()
        ValueIndex probabilities = no_value; ///< p (N, E)
        ValueIndex gates = no_value;         ///< g (N, K)
        ValueIndex experts = no_value;       ///< e (N, K) int32
        ValueIndex shares = no_value;        ///< f (E)
    };
    Output routed(ValueIndex x) const;
    /// y alone; the balance loss stands on the tape all the same, where nothing needs it.
    ValueIndex operator()(ValueIndex x) const { return routed(x).y; }

    Module module;
    MixtureShape shape;
    ValueIndex router = no_value;                               ///< (C, E)
    ValueIndex gate = no_value, up = no_value, down = no_value; ///< (E, C, hidden), (E, C, hidden), (E, hidden, C)
};

} // namespace gradus
