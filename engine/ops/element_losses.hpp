#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

/// Losses that are a sum over elements. Both inputs have one shape and floating type and get a gradient where they require
/// one; the output is a scalar. Attribute 0: 0 for the mean (NaN of no elements), 1 for the sum (0 of none). Throw ShapeError.
namespace ops {

/// L = -mean(y · ln p + (1 - y) · ln(1 - p)) of probabilities, each logarithm at least -100. p, y -> L (). NaN where p lies
/// outside [0, 1]. ∂p = ∂L/n · (p - y) / max(p · (1 - p), 1e-12). Source: torch.nn.functional.binary_cross_entropy; of logits
/// it is `binary_cross_entropy`.
const Op& bce();
/// L = Σ t · (ln t - x) / n of log-probabilities x and probabilities t, 0 where t is 0. x, t -> L (). Attribute 0: 0 divides by
/// the size of axis 0 ("batchmean", rank at least 1), 1 does not divide, 2 takes the mean over all elements.
/// ∂x = -∂L/n · t. Source: torch.nn.functional.kl_div; Kullback and Leibler 1951.
const Op& kl_div();
/// L = mean |x - t|. x, t -> L (). ∂x = ∂L/n · sign(x - t), 0 where they are equal. Source: torch.nn.functional.l1_loss.
const Op& l1_loss();
/// L = mean of d²/2β where |d| < β, else |d| - β/2; d = x - t. x, t -> L (). Attribute 1: β >= 0 (PyTorch's default is 1); with
/// 0 it is l1_loss. ∂x = ∂L/n · (d/β where |d| < β, else sign d).
/// Source: torch.nn.functional.smooth_l1_loss; Girshick 2015.
const Op& smooth_l1_loss();

} // namespace ops

std::span<const Op* const> element_losses_ops();

} // namespace gradus
