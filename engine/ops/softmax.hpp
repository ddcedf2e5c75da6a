#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

/// Softmax along any axis, and the losses of classes made of it. Labels out of [0, C) are refused when the op runs (Error),
/// wrong shapes, types and attributes when it is written on the tape (ShapeError).
namespace ops {

/// p_k = e^(z_k - max z) / Σ_j e^(z_j - max z) along an axis (attribute 0). z of any rank from 1 on -> p of z's shape; may be
/// empty. ∂z = p · (∂p - Σ p · ∂p), from the saved p. Source: torch.softmax. `softmax` is the same for (B, C) along C.
const Op& softmax_along();
/// y_k = z_k - max z - ln Σ_j e^(z_j - max z) along an axis (attribute 0). z of any rank from 1 on -> y of z's shape; may be
/// empty. ∂z = ∂y - e^y · Σ ∂y, from the saved y. Source: torch.log_softmax.
const Op& log_softmax();

/// L = mean_i((1 - ε) · (lse_i - z_i,y(i)) + ε · (lse_i - mean_c z_ic)), lse_i = ln Σ_c e^(z_ic), over the labels that count.
/// The classes lie along axis 1, or axis 0 of one row: z (B, C, …), y (B, …) int32, or z (C), y () -> L (), lse of y's shape.
/// Attribute 0: 1 for the sum instead of the mean; 1: whether a label is ignored, 2: which (it may lie outside [0, C)); 3: ε,
/// the label smoothing in [0, 1]. Fused: of each row one number is saved, lse, rather than C probabilities; it is fp32 for the
/// 16-bit types and gets no gradient (Error). The mean of no labels is NaN.
/// ∂z = ∂L · (e^(z - lse) - (1 - ε) · [c = y] - ε/C) / n, and 0 where the label is ignored.
/// Source: torch.nn.functional.cross_entropy; smoothing Szegedy et al. 2016.
const Op& cross_entropy_with_logits();
/// L = -mean_i(logp_i,y(i)) over the labels that count: what is left of the cross-entropy after log_softmax. logp (B, C, …),
/// y (B, …) int32, or logp (C), y () -> L (); attributes 0 to 2 as of cross_entropy_with_logits. ∂logp_i,y(i) = -∂L / n.
/// Source: torch.nn.functional.nll_loss.
const Op& nll_loss();

} // namespace ops

std::span<const Op* const> softmax_ops();

} // namespace gradus
