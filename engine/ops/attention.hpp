#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

/// Attention: what its steps need beside products and softmax (rope, scale, causal_mask), and all steps as one op
/// (flash_attention). The function that puts the steps on a tape is in engine/nn/attention.hpp.
std::span<const Op* const> attention_ops();

/// Which features of a head rope turns together.
enum class RopePairs : std::uint8_t {
    interleaved, ///< 2i and 2i + 1, as the paper writes it
    halves,      ///< i and i + D/2, as GPT-NeoX and Llama's published weights have it
};

namespace ops {

/// Rotary position embedding: in every head each pair of features is turned by the angle m·θ_i in radians, m the row's position,
/// θ_i = base^(-2i/D), i = 0 … D/2 - 1: y_first = x_first·cos - x_second·sin, y_second = x_first·sin + x_second·cos. x (B, H, T,
/// D) fp16/bf16/fp32/fp64, m (T) int32, of either sign -> y (B, H, T, D), in the unit of x; attributes: base (0: 10000), pairs
/// (RopePairs). The products of turned queries and keys depend on the difference of their positions. A NaN or ±∞ spreads to its
/// pair; any size may be 0. ∂x is ∂y turned by -m·θ_i; none to m.
/// Throws ShapeError unless shapes and types are these, D is even, base is at least 0 and pairs 0 or 1. Source: Su et al. 2021,
/// RoFormer.
const Op& rope();
/// y = c · x, rounded once; attribute 0 is c, rounded to x's type (fp32 for 16 bits). x of any shape, fp16/bf16/fp32/fp64 -> y of
/// x's shape, in the unit of c times that of x. 0 · ∞ = NaN. ∂x = c · ∂y.
/// Throws ShapeError for a type that is not floating. Source: Lawson, Hanson, Kincaid and Krogh 1979 (the BLAS' scal).
const Op& scale();
/// y_ts = x_ts where s <= t, else -∞: a query sees the keys up to its own row, counted from the top left (PyTorch's is_causal).
/// Scores x (…, T, S) fp16/bf16/fp32/fp64 -> y (…, T, S), in the unit of x. What is masked leaves no trace, a NaN neither; T and
/// S may be 0. ∂x_ts = ∂y_ts where s <= t, else 0.
/// Throws ShapeError for fewer than two axes or a type that is not floating. Source: Vaswani et al. 2017, section 3.2.3.
const Op& causal_mask();
/// o_i = Σ_j p_ij · v_j, p = softmax over j of scale · q_i·k_j: scaled dot-product attention in one op, without ever holding the
/// T × S matrix: it goes over tiles of keys with a running maximum and sum (online softmax). q (B, H, T, D), k and v (B, G, S,
/// D), all of one of fp16/bf16/fp32/fp64, H a multiple of G: head h uses key head h / (H/G) -> o (B, H, T, D), in the unit of v,
/// and L (B, H, T) with L_i = ln Σ_j e^(scale · q_i·k_j), unitless, fp32 beside fp16 and bf16. Attributes: causal (0 or 1, as
/// causal_mask), scale (0: 1/√D), rows of a query tile and of a key tile (0: 64; at most 256). A query with a NaN, or whose
/// scores have an ∞ or are all -∞, gets NaN; B, H and T may be 0. Its gradient computes p = e^(scale·q·k - L) again, tile by
/// tile: ∂v_j = Σ_i p_ij · ∂o_i, ∂s_ij = p_ij · (∂o_i·v_j - ∂o_i·o_i + ∂L_i), ∂q_i = scale · Σ_j ∂s_ij · k_j,
/// ∂k_j = scale · Σ_i ∂s_ij · q_i. 4·B·H·T·S·D FLOPs, of the pairs that are seen where causal.
/// Throws ShapeError unless shapes and types are these, H is a multiple of G > 0, S and D are above 0 and tiles lie in [0, 256].
/// Sources: Dao et al. 2022, FlashAttention; Dao 2023, FlashAttention-2; Rabe and Staats 2021 (without the matrix); Milakov and
/// Gimelshein 2018 (online softmax); Ainslie et al. 2023 (grouped heads).
const Op& flash_attention();

} // namespace ops

} // namespace gradus
