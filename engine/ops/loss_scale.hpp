#pragma once

#include <span>

namespace gradus {

struct Op;
std::span<const Op* const> loss_scale_ops();

/// What keeps small gradients of 16 bits alive: a loss that is scaled up, gradients that are looked at and scaled down, and a
/// scale that follows what they allow (engine/optim/loss_scaler.hpp). None has a gradient.
namespace ops {

/// b = whether any element of any input is infinite or NaN. One to eight tensors of any shapes, each of a floating type, or
/// boolean where true counts as well (so that several of these are joined) -> b () boolean. False for empty tensors.
const Op& has_non_finite();

/// g' = g · (1 / s), the reciprocal made in double precision and rounded once. g of any shape, s () of its type -> g'.
const Op& unscale();

/// After an overflow the scale falls, after enough steps without one it grows:
/// b: s' = s · backoff, n' = 0; else n + 1 = interval: s' = s · growth, n' = 0; else s' = s, n' = n + 1.
/// A scale that would grow beyond its type's largest number stays. s () floating, n () int32, b () boolean -> s', n'; attributes
/// growth, backoff, interval. Throws ShapeError for others. Source: torch._amp_update_scale_.
const Op& update_loss_scale();

} // namespace ops

} // namespace gradus
