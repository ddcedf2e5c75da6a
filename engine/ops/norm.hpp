#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

std::span<const Op* const> norm_ops();

/// Normalisations. Attribute 0 is eps. Statistics are made in double precision, the mean first and then the squares around it;
/// those of fp32 rows of 128 numbers and more in one pass of fp32 lanes that are added up in double precision, where that loses no
/// digits. They are given out in fp32, in fp64 where x is fp64, to be seen and for the backward node; no gradient goes through
/// them. Each op has one backward node, which gives dx, dw and db.
namespace ops {

/// y = (x - mean_c) · rstd_c · w_c + b_c, where mean_c and var_c are the batch's own over all axes but the channels' and
/// rstd = 1 / √(var + eps). Running statistics move by the momentum m: r' = (1 - m) · r + m · mean, and likewise with var, there
/// unbiased (divided by n - 1, as PyTorch does). x (N, C), (N, C, H, W) or any (N, C, …) fp16/bf16/fp32/fp64, w (C), b (C),
/// running mean (C), running var (C), the vectors of x's type or fp32 beside fp16 and bf16; attributes eps (1e-5, unit of x
/// squared), m (0.1) -> y as x, in the unit of w; mean (C), rstd (C), running mean' (C), running var' (C), in x's unit and its
/// powers. The running ones are new values; see carry_running_statistics. An empty batch leaves them as they are; a NaN or ±∞
/// gives NaN to its channel, x alike in it with eps 0 too. ∂x = w · rstd · (∂y - mean ∂y - x̂ · mean(∂y · x̂)),
/// x̂ = (x - mean) · rstd, ∂w = Σ ∂y · x̂, ∂b = Σ ∂y.
/// Throws ShapeError for other shapes or types, no channels, a negative eps, or a single value per channel, which has no
/// variance; Error from Tape::backward where the loss depends on a statistic. Source: Ioffe and Szegedy 2015, algorithm 1.
const Op& batch_norm();

/// y = (x - running mean_c) / √(running var_c + eps) · w_c + b_c: batch_norm as it is used after training. x (N, C, …)
/// fp16/bf16/fp32/fp64, w (C), b (C), running mean (C), running var (C), the vectors of x's type or fp32 beside fp16 and bf16;
/// attribute eps (unit of x squared) -> y as x, in the unit of w. Any size but C may be 0. NaN for a NaN of x, or running
/// var + eps below 0. ∂x = ∂y · w / √(running var + eps), ∂w = Σ ∂y · x̂, ∂b = Σ ∂y; none to the running ones.
/// Throws ShapeError for other shapes or types, no channels, or a negative eps. Source: Ioffe and Szegedy 2015, algorithm 2.
const Op& batch_norm_inference();

/// y = (x - mean) · rstd · w + b with the mean and variance of each row, the last axis: mean = Σ x / C,
/// rstd = 1 / √(Σ (x - mean)² / C + eps). x (…, C), w (C), b (C), all of one of fp16/bf16/fp32/fp64; attribute eps (1e-5, unit of
/// x squared) -> y as x, in the unit of w, mean (…, 1) in x's unit, rstd (…, 1) in 1 per it. A row with a NaN or ±∞ gives NaN,
/// one of x alike with eps 0 too; any size may be 0. ∂x = rstd · (g - mean g - x̂ · mean(g · x̂)), g = ∂y · w,
/// x̂ = (x - mean) · rstd, ∂w = Σ ∂y · x̂, ∂b = Σ ∂y.
/// Throws ShapeError for other shapes or types or a negative eps; Error from Tape::backward where the loss depends on a
/// statistic. Source: Ba, Kiros and Hinton 2016.
const Op& layer_norm();

/// s = x + r and y = layer_norm(s) in one pass over memory. x, r (…, C), w (C), b (C), all of one of fp16/bf16/fp32/fp64;
/// attribute eps (unit of x squared) -> s as x, in its unit, y as x, in the unit of w, mean (…, 1), rstd (…, 1). A row of s with
/// a NaN or ±∞ gives NaN; any size may be 0. x and r share one gradient: ∂x = ∂r = ∂s + layer_norm's ∂x at s; ∂w and ∂b are
/// layer_norm's.
/// Throws ShapeError for other shapes or types or a negative eps; Error from Tape::backward where the loss depends on a
/// statistic. Sources: Ba, Kiros and Hinton 2016; Ivanov et al. 2021, Data Movement Is All You Need (the fusion).
const Op& add_layer_norm();

/// y = x · rstd · w, rstd = 1 / √(Σ x² / C + eps) of each row. x (…, C), w (C), both of one of fp16/bf16/fp32/fp64; attribute eps
/// (unit of x squared) -> y as x, in the unit of w, rstd (…, 1) in 1 per unit of x. A NaN makes NaN of its row, ±∞ of itself and
/// 0 of the others, eps 0 NaN of a row of zeros; any size may be 0. ∂x = rstd · (g - x̂ · mean(g · x̂)), g = ∂y · w,
/// x̂ = x · rstd, ∂w = Σ ∂y · x̂.
/// Throws ShapeError for other shapes or types or a negative eps; Error from Tape::backward where the loss depends on rstd.
/// Source: Zhang and Sennrich 2019.
const Op& rms_norm();

/// s = x + r and y = rms_norm(s) in one pass over memory. x, r (…, C), w (C), all of one of fp16/bf16/fp32/fp64; attribute eps
/// (unit of x squared) -> s as x, in its unit, y as x, in the unit of w, rstd (…, 1). A NaN of s makes NaN of its row, ±∞ of
/// itself; any size may be 0. x and r share one gradient: ∂x = ∂r = ∂s + rms_norm's ∂x at s; ∂w is rms_norm's.
/// Throws ShapeError for other shapes or types or a negative eps; Error from Tape::backward where the loss depends on rstd.
/// Sources: Zhang and Sennrich 2019; Ivanov et al. 2021, Data Movement Is All You Need (the fusion).
const Op& add_rms_norm();

/// y = (x - mean_n,g) · rstd_n,g · w_c + b_c with the statistics of each image's group of C / groups channels,
/// rstd = 1 / √(var + eps). x (N, C, …), w (C), b (C), all of one of fp16/bf16/fp32/fp64; attributes eps (1e-5, unit of x
/// squared), groups -> y as x, in the unit of w, mean (N, groups) in x's unit, rstd (N, groups) in 1 per it. A group with a NaN
/// or ±∞ gives NaN, one of x alike with eps 0 too; N may be 0. ∂x = rstd · (g - mean g - x̂ · mean(g · x̂)), g = ∂y · w,
/// x̂ = (x - mean) · rstd, ∂w = Σ ∂y · x̂, ∂b = Σ ∂y.
/// Throws ShapeError for other shapes or types, no channels, empty planes, a negative eps, or groups that do not divide the
/// channels; Error from Tape::backward where the loss depends on a statistic. Source: Wu and He 2018.
const Op& group_norm();

} // namespace ops

/// Appends the nodes that write a batch_norm node's new running statistics onto those it read, in the update phase; so the next
/// iteration reads them, and an iteration that is not updated leaves them.
void carry_running_statistics(Tape& tape, NodeIndex batch_norm);

} // namespace gradus
