#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

/// Softmax along any axis, and the losses of classes made of it. Labels out of [0, C) are refused when the op runs (Error),
/// wrong shapes, types and attributes when it is written on the tape (ShapeError).
namespace ops {

/// p_k = e^(z_k - max z) / Σ_j e^(z_j - max z) along an axis (attribute 0). z of any rank from 1 on, fp16/bf16/fp32/fp64,
/// unitless -> p of z's shape, shares in [0, 1] that sum to 1 in a line; may be empty. A line with a NaN or an ∞, or of -∞ alone,
/// gives NaN. ∂z = p · (∂p - Σ p · ∂p), from the saved p. `softmax` is the same for (B, C) along C.
/// Throws ShapeError for a scalar, a type that is not floating or an axis that z does not have. Source: Bridle 1990;
/// torch.softmax.
const Op& softmax_along();
/// y_k = z_k - max z - ln Σ_j e^(z_j - max z) along an axis (attribute 0). z of any rank from 1 on, fp16/bf16/fp32/fp64, unitless
/// -> y of z's shape, logarithms of shares, at most 0, in nats; may be empty. -∞ beside numbers stays -∞; a line with a NaN or an
/// ∞, or of -∞ alone, gives NaN. ∂z = ∂y - e^y · Σ ∂y, from the saved y.
/// Throws ShapeError for a scalar, a type that is not floating or an axis that z does not have. Source: torch.log_softmax;
/// Blanchard, Higham and Higham 2021 (the subtraction).
const Op& log_softmax();

/// L = mean_i((1 - ε) · (lse_i - z_i,y(i)) + ε · (lse_i - mean_c z_ic)), lse_i = ln Σ_c e^(z_ic), over the labels that count. The
/// classes lie along axis 1, or axis 0 of one row: z (B, C, …) fp16/bf16/fp32/fp64, unitless, y (B, …) int32, or z (C), y () -> L
/// () in nats, lse of y's shape. Attribute 0: 1 for the sum instead of the mean; 1: whether a label is ignored, 2: which
/// (it may lie outside [0, C)); 3: ε, the label smoothing in [0, 1]. Fused: of each row one number is saved, lse, rather than C
/// probabilities; it is fp32 for the 16-bit types and gets no gradient. A row with a NaN or an ∞ makes L NaN where its label
/// counts; the mean of no labels is NaN, the sum 0. ∂z = ∂L · (e^(z - lse) - (1 - ε) · [c = y] - ε/C) / n, n the labels that
/// count (1 for the sum), and 0 where the label is ignored.
/// Throws ShapeError for other shapes, types or attributes, or no class; Error when it runs where a label that counts lies
/// outside [0, C), and from Tape::backward where the loss depends on lse. Source: torch.nn.functional.cross_entropy; smoothing
/// Szegedy et al. 2016.
const Op& cross_entropy_with_logits();
/// L = -mean_i(logp_i,y(i)) over the labels that count: what is left of the cross-entropy after log_softmax. logp (B, C, …)
/// fp16/bf16/fp32/fp64, in nats, y (B, …) int32, or logp (C), y () -> L () in nats; attribute 0: 1 for the sum instead of the
/// mean; 1: whether a label is ignored, 2: which (it may lie outside [0, C)). ∞ where a label's logp is -∞, NaN where it is NaN;
/// the mean of no labels is NaN, the sum 0. ∂logp_i,y(i) = -∂L / n, n the labels that count (1 for the sum), else 0.
/// Throws ShapeError for other shapes, types or attributes, or no class; Error when it runs where a label that counts lies
/// outside [0, C). Source: torch.nn.functional.nll_loss.
const Op& nll_loss();

} // namespace ops

std::span<const Op* const> softmax_ops();

} // namespace gradus
