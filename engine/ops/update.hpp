#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

/// What happens between gradients and parameters: optimizers beside sgd and momentum, decay, clipping, accumulation.
std::span<const Op* const> update_ops();

/// W is the parameter, g its gradient, the others the optimizer's state; all of one shape and floating type unless said. The
/// outputs are the new parameter and the new states, in the order of the inputs, and may be written onto them. Attribute 0 of an
/// optimizer is lr. None has a gradient.
namespace ops {

/// v' = mu · v - lr · g, W' = W + v'; attributes lr (units of W per unit of g), mu (unitless): a velocity in units of the
/// parameter. The same steps as `momentum` while lr stays; after a change of lr, what was gathered keeps its old scale. W, g and
/// v of one shape, of one of fp16/bf16/fp32/fp64 -> W', v' of that shape. A NaN or ±∞ of g stays in v'. No gradient.
/// Throws ShapeError where shapes or types differ or are not floating. Sources: Polyak 1964; Sutskever, Martens, Dahl and Hinton
/// 2013.
const Op& momentum_lr();
/// v' = mu · v + g, W' = W - lr · (g + mu · v'); attributes lr (units of W per unit of g), mu (unitless). PyTorch's form of
/// Nesterov's method (no dampening). W, g and v (unit of g) of one shape, of one of fp16/bf16/fp32/fp64 -> W', v' of that shape.
/// A NaN or ±∞ of g stays in v'. No gradient.
/// Throws ShapeError where shapes or types differ or are not floating. Sources: Nesterov 1983; Sutskever, Martens, Dahl and
/// Hinton 2013; torch.optim.SGD.
const Op& nesterov();
/// s' = alpha · s + (1 - alpha) · g², W' = W - lr · g / (√s' + eps); attributes lr (unit of W), alpha (unitless, in [0, 1]), eps
/// (unit of g). W, g and s (unit of g squared) of one shape, of one of fp16/bf16/fp32/fp64 -> W', s' of that shape. A NaN or ±∞
/// of g stays in s'; g = s = 0 with eps 0 gives NaN. No gradient.
/// Throws ShapeError where shapes or types differ or are not floating. Sources: Tieleman and Hinton 2012, lecture 6.5;
/// torch.optim.RMSprop.
const Op& rmsprop();
/// m' = beta1 · m + (1 - beta1) · g, v' = beta2 · v + (1 - beta2) · g²,
/// W' = W - lr / (1 - beta1^t) · m' / (√(v' / (1 - beta2^t)) + eps). W, g, m (unit of g) and v (unit of g squared) of one shape,
/// of one of fp16/bf16/fp32/fp64, and t () int32, the number of this step from 1 on -> W', m', v' of that shape; attributes lr
/// (unit of W), beta1, beta2 (unitless, in [0, 1)), eps (unit of g). A NaN or ±∞ of g stays in m' and v'. No gradient.
/// Throws ShapeError where shapes or types differ or are not floating, or t is no int32 scalar; Error when it runs with t below
/// 1. Source: Kingma and Ba 2015, algorithm 1.
const Op& adam();
/// m' = beta1 · m + (1 - beta1) · g, v' = beta2 · v + (1 - beta2) · g²,
/// W' = (1 - lr · decay) · W - lr / (1 - beta1^t) · m' / (√(v' / (1 - beta2^t)) + eps): adam with weight decay that the
/// gradient's scaling does not touch. W, g, m (unit of g) and v (unit of g squared) of one shape, of one of fp16/bf16/fp32/fp64,
/// and t () int32, the number of this step from 1 on -> W', m', v' of that shape; attributes lr (unit of W), beta1, beta2
/// (unitless, in [0, 1)), eps (unit of g), decay (1 per unit of lr). A NaN or ±∞ of g stays in m' and v'. No gradient.
/// Throws ShapeError where shapes or types differ or are not floating, or t is no int32 scalar; Error when it runs with t below
/// 1. Sources: Loshchilov and Hutter 2019; torch.optim.AdamW, whose decay is multiplied by lr too.
const Op& adamw();
/// t' = t + 1. t () int32, steps -> t' (), which may be written onto t. No gradient.
/// Throws ShapeError unless t is an int32 scalar. Source: Kingma and Ba 2015, algorithm 1.
const Op& count_step();

/// g' = g + decay · W, the gradient of L + decay/2 · ‖W‖²; attribute 0 is the decay, in units of g per unit of W. g, W of one
/// shape, of one of fp16/bf16/fp32/fp64 -> g' of that shape, in the unit of g. NaN and ±∞ as in any sum. With adam and rmsprop
/// that is another method than decay of the weights, since it is scaled with the gradient. No gradient of its own.
/// Throws ShapeError where shapes or types differ or are not floating. Source: Krogh and Hertz 1992; torch.optim.SGD
/// (weight_decay).
const Op& l2_gradient();
/// N = √(Σ x²) over all elements of all inputs, summed in double precision. One to eight tensors of any shapes, of one of
/// fp16/bf16/fp32/fp64 -> N () of that type, in their unit. 0 of no elements; an ∞ or a NaN goes to N. No gradient.
/// Throws ShapeError for none or more than eight, or types that differ or are not floating. Sources: Pascanu, Mikolov and Bengio
/// 2013; torch.nn.utils.get_total_norm.
const Op& global_norm();
/// g' = g · min(1, limit / (N + 1e-6)); attribute 0 is the limit, in the unit of g. g of any shape, N (), both of one of
/// fp16/bf16/fp32/fp64 -> g' of g's shape, in its unit. Keeps the direction. N = ∞ gives 0, and NaN of ±∞; a NaN of N goes to all
/// of g'. No gradient of its own.
/// Throws ShapeError unless N is a scalar of g's floating type. Sources: Pascanu, Mikolov and Bengio 2013;
/// torch.nn.utils.clip_grad_norm_.
const Op& clip_by_norm();
/// G' = keep · G + share · g; attributes share (one over the number of micro-batches), keep (0 at the first of them, where G is
/// not read, else 1), unitless. G and g of one shape, of one of fp16/bf16/fp32/fp64 -> G' of that shape, in their unit. NaN and
/// ±∞ as in any sum. No gradient.
/// Throws ShapeError where shapes or types differ or are not floating. Source: Huang et al. 2019, GPipe (micro-batches).
const Op& accumulate();

} // namespace ops

} // namespace gradus
