#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

/// Losses that are a sum over elements. Both inputs have one shape and floating type and get a gradient where they require
/// one; the output is a scalar. Attribute 0: 0 for the mean (NaN of no elements), 1 for the sum (0 of none). Throw ShapeError.
namespace ops {

/// L = -mean(y · ln p + (1 - y) · ln(1 - p)) of probabilities, each logarithm at least -100. p, y of one shape, of one of
/// fp16/bf16/fp32/fp64, shares in [0, 1] -> L () in nats. Attribute 0: 0 for the mean (NaN of no elements), 1 for the sum
/// (0 of none). NaN where p lies outside [0, 1] or is NaN; y is not checked. ∂p = ∂L/n · (p - y) / max(p · (1 - p), 1e-12),
/// ∂y = ∂L/n · (ln(1 - p) - ln p), n = 1 for the sum.
/// Throws ShapeError for shapes or types that differ, a type that is not floating or another attribute 0. Source:
/// torch.nn.functional.binary_cross_entropy; of logits it is `binary_cross_entropy`.
const Op& bce();
/// L = Σ t · (ln t - x) / n of log-probabilities x and probabilities t, 0 where t is 0. x (in nats), t (shares in [0, 1], not
/// checked) of one shape, of one of fp16/bf16/fp32/fp64 -> L () in nats. Attribute 0: 0 divides by the size of axis 0, by 1 where
/// that is 0 ("batchmean", rank at least 1), 1 does not divide, 2 takes the mean over all elements (NaN of none). NaN where t is
/// below 0 or NaN, or x is NaN and t is not 0. ∂x = -∂L/n · t, ∂t = ∂L/n · (ln t + 1 - x), -∞ at t = 0.
/// Throws ShapeError for shapes or types that differ, a type that is not floating, another attribute 0, or batchmean of scalars.
/// Source: torch.nn.functional.kl_div; Kullback and Leibler 1951.
const Op& kl_div();
/// L = mean |x - t|. x, t of one shape, of one of fp16/bf16/fp32/fp64 -> L (), in their unit. Attribute 0: 0 for the mean
/// (NaN of no elements), 1 for the sum (0 of none). A NaN goes to L. ∂x = ∂L/n · sign(x - t), 0 where they are equal, ∂t = -∂x;
/// n = 1 for the sum.
/// Throws ShapeError for shapes or types that differ, a type that is not floating, another attribute 0 or a β (attribute 1) other
/// than 0. Source: torch.nn.functional.l1_loss.
const Op& l1_loss();
/// L = mean of d²/2β where |d| < β, else |d| - β/2; d = x - t. x, t of one shape, of one of fp16/bf16/fp32/fp64 -> L (), in their
/// unit, as β is. Attribute 0: 0 for the mean (NaN of no elements), 1 for the sum (0 of none); 1: β >= 0 (PyTorch's default is
/// 1); with 0 it is l1_loss. A NaN goes to L. ∂x = ∂L/n · (d/β where |d| < β, else sign d), ∂t = -∂x; n = 1 for the sum.
/// Throws ShapeError for shapes or types that differ, a type that is not floating, another attribute 0 or β below 0 or NaN.
/// Source: torch.nn.functional.smooth_l1_loss; Girshick 2015.
const Op& smooth_l1_loss();

} // namespace ops

std::span<const Op* const> element_losses_ops();

} // namespace gradus
