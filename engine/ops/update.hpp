#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

/// What happens between gradients and parameters: optimizers beside sgd and momentum, decay, clipping, accumulation.
std::span<const Op* const> update_ops();

/// W is the parameter, g its gradient, the others the optimizer's state; all of one shape and floating type unless said. The
/// outputs are the new parameter and the new states, in the order of the inputs, and may be written onto them. Attribute 0 is lr.
/// Throws ShapeError where shapes or types differ. None has a gradient.
namespace ops {

/// v' = mu · v - lr · g, W' = W + v'; attributes lr, mu: a velocity in units of the parameter, as Sutskever, Martens, Dahl and
/// Hinton 2013 write it. The same steps as `momentum` while lr stays; after a change of lr, what was gathered keeps its old
/// scale.
const Op& momentum_lr();
/// v' = mu · v + g, W' = W - lr · (g + mu · v'); attributes lr, mu. PyTorch's form of Nesterov's method (no dampening).
const Op& nesterov();
/// s' = alpha · s + (1 - alpha) · g², W' = W - lr · g / (√s' + eps); attributes lr, alpha, eps. Source: Tieleman and Hinton 2012.
const Op& rmsprop();
/// m' = beta1 · m + (1 - beta1) · g, v' = beta2 · v + (1 - beta2) · g²,
/// W' = W - lr / (1 - beta1^t) · m' / (√(v' / (1 - beta2^t)) + eps).
/// W, g, m, v, and t () int32, the number of this step from 1 on -> W', m', v'; attributes lr, beta1, beta2, eps. Source: Kingma
/// and Ba 2015.
const Op& adam();
/// As adam, of W · (1 - lr · decay) instead of W: weight decay that the gradient's scaling does not touch; attributes lr, beta1,
/// beta2, eps, decay. Source: Loshchilov and Hutter 2019.
const Op& adamw();
/// t' = t + 1. t () int32.
const Op& count_step();

/// g' = g + decay · W, the gradient of L + decay/2 · ‖W‖²; attribute 0 is the decay. With adam and rmsprop that is another method
/// than decay of the weights, since it is scaled with the gradient.
const Op& l2_gradient();
/// N = √(Σ over all elements of all inputs of x²), summed in double precision. One to eight tensors of one floating type -> N ().
const Op& global_norm();
/// g' = g · min(1, limit / (N + 1e-6)); attribute 0 is the limit. g of any shape, N () its type. Keeps the direction.
/// Sources: Pascanu, Mikolov and Bengio 2013; torch.nn.utils.clip_grad_norm_.
const Op& clip_by_norm();
/// G' = keep · G + share · g; attributes share (one over the number of micro-batches), keep (0 at the first of them, where G is
/// not read, else 1). G and g of one shape -> G'.
const Op& accumulate();

} // namespace ops

} // namespace gradus
