#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

std::span<const Op* const> norm_ops();

/// Normalisations. Attribute 0 is eps. Statistics are made in double precision, the mean first and then the squares around it,
/// and given out in fp32, in fp64 where x is fp64. They are there to be seen and for the backward node; no gradient goes
/// through them. Each has one backward node, which gives dx, dw and db.
namespace ops {

/// y = (x - mean_c) · rstd_c · w_c + b_c, where mean_c and var_c are the batch's own over all axes but the channels' and
/// rstd = 1 / √(var + eps). Running statistics move by the momentum m: r' = (1 - m) · r + m · mean, and likewise with var, there
/// unbiased (divided by n - 1, as PyTorch does).
/// x (N, C) or (N, C, H, W) or any (N, C, …), w (C), b (C), running mean (C), running var (C), the vectors of x's type or fp32
/// beside fp16 and bf16; attributes eps (1e-5), m (0.1)
/// -> y as x, mean (C), rstd (C), running mean' (C), running var' (C). The running ones are new values; see
/// carry_running_statistics. An empty batch leaves them as they are.
/// Throws ShapeError for a single value per channel, which has no variance. Source: Ioffe and Szegedy 2015.
const Op& batch_norm();

/// y = (x - running mean_c) / √(running var_c + eps) · w_c + b_c: batch_norm as it is used after training.
/// x (N, C, …), w (C), b (C), running mean (C), running var (C); attribute eps -> y as x.
const Op& batch_norm_inference();

/// y = (x - mean) · rstd · w + b with the mean and variance of each row, the last axis:
/// mean = Σ x / C, rstd = 1 / √(Σ (x - mean)² / C + eps).
/// x (…, C), w (C), b (C); attribute eps (1e-5) -> y as x, mean (…, 1), rstd (…, 1). Source: Ba, Kiros and Hinton 2016.
const Op& layer_norm();

/// s = x + r and y = layer_norm(s) in one pass over memory. x, r (…, C), w (C), b (C); attribute eps
/// -> s as x, y as x, mean (…, 1), rstd (…, 1). x and r share one gradient.
const Op& add_layer_norm();

/// y = x · rstd · w, rstd = 1 / √(Σ x² / C + eps) of each row. x (…, C), w (C); attribute eps -> y as x, rstd (…, 1).
/// Source: Zhang and Sennrich 2019.
const Op& rms_norm();

/// s = x + r and y = rms_norm(s) in one pass over memory. x, r (…, C), w (C); attribute eps -> s as x, y as x, rstd (…, 1).
const Op& add_rms_norm();

/// y = (x - mean_n,g) · rstd_n,g · w_c + b_c with the statistics of each image's group of C / groups channels.
/// x (N, C, …), w (C), b (C); attributes eps (1e-5), groups -> y as x, mean (N, groups), rstd (N, groups).
/// Throws ShapeError where the groups do not divide the channels. Source: Wu and He 2018.
const Op& group_norm();

} // namespace ops

/// Appends the nodes that write a batch_norm node's new running statistics onto those it read, in the update phase; so the next
/// iteration reads them, and an iteration that is not updated leaves them.
void carry_running_statistics(Tape& tape, NodeIndex batch_norm);

} // namespace gradus
