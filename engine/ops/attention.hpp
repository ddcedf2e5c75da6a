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

/// Rotary position embedding: in every head each pair of features is turned by the angle m·θ_i, m the row's position, θ_i =
/// base^(-2i/D), i = 0 … D/2 - 1: y_first = x_first·cos - x_second·sin, y_second = x_first·sin + x_second·cos. x (B, H, T, D), m
/// (T) int32 -> y (B, H, T, D); attributes: base (0: 10000), pairs (RopePairs). The products of turned queries and keys depend on
/// the difference of their positions. Throws ShapeError where D is odd. Source: Su et al. 2021, RoFormer.
const Op& rope();
/// y = c · x; attribute 0 is c. x of any shape and floating type -> y.
const Op& scale();
/// y_ts = x_ts where s <= t, else -∞: a query sees the keys up to its own row, counted from the top left (PyTorch's is_causal).
/// x (…, T, S) -> y (…, T, S).
const Op& causal_mask();
/// Scaled dot-product attention in one op: o_i = Σ_j p_ij · v_j, p = softmax over j of scale · q_i·k_j, without ever holding the
/// T × S matrix: it goes over tiles of keys with a running maximum and sum (online softmax). q (B, H, T, D), k and v (B, G, S,
/// D), H a multiple of G: head h uses key head h / (H/G) -> o (B, H, T, D), L (B, H, T) with L_i = ln Σ_j e^(scale · q_i·k_j),
/// fp32 beside fp16 and bf16. Attributes: causal (0 or 1, as causal_mask), scale (0: 1/√D), rows of a query tile and of a key
/// tile (0: 64; at most 256). Its gradient computes p = e^(scale·q·k - L) again, tile by tile. 4·B·H·T·S·D FLOPs. Throws
/// ShapeError where H is no multiple of G or S is 0. Sources: Dao et al. 2022, FlashAttention; Dao 2023, FlashAttention-2;
/// Milakov and Gimelshein 2018 (online softmax); Ainslie et al. 2023 (grouped heads).
const Op& flash_attention();

} // namespace ops

} // namespace gradus
