#pragma once

#include <span>

namespace gradus {

struct Op;
std::span<const Op* const> loss_scale_ops();

/// What keeps small gradients of 16 bits alive: a loss that is scaled up, gradients that are looked at and scaled down, and a
/// scale that follows what they allow (engine/optim/loss_scaler.hpp). None has a gradient.
namespace ops {

/// b = whether any element of any input is infinite or NaN. One to eight tensors of any shapes, each of one of
/// fp16/bf16/fp32/fp64, in any units, or boolean where true counts as well (so that several of these are joined) -> b () boolean,
/// unitless. 0 for empty tensors. No gradient.
/// Throws ShapeError for none or more than eight, or another type. Source: Micikevicius et al. 2018;
/// torch.amp.GradScaler.unscale_.
const Op& has_non_finite();

/// g' = g · (1 / s), the reciprocal made in double precision and rounded once. g of any shape, s (), both of one of
/// fp16/bf16/fp32/fp64 -> g' of g's shape, in the unit of g per unit of s. s = 0 gives ±∞, and NaN of 0; a NaN or ±∞ of g stays.
/// No gradient.
/// Throws ShapeError unless s is a scalar of g's floating type. Source: Micikevicius et al. 2018; torch.amp.GradScaler.unscale_.
const Op& unscale();

/// s' = s · backoff, n' = 0 where b; else where n + 1 = interval s' = s · growth, n' = 0; else s' = s, n' = n + 1: after an
/// overflow the scale falls, after enough steps without one it grows. A scale that would grow beyond its type's largest number
/// stays. s () of one of fp16/bf16/fp32/fp64, unitless, n () int32, steps, b () boolean -> s' () and n' (), which may be written
/// onto s and n; attributes growth (at least 1), backoff (in (0, 1]), interval (steps, from 1 on). No gradient.
/// Throws ShapeError for other shapes, types or attributes. Sources: Micikevicius et al. 2018; torch._amp_update_scale_.
const Op& update_loss_scale();

} // namespace ops

} // namespace gradus
