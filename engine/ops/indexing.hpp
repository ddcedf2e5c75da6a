#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

/// Ops that read or write at places an int32 index names. An index below 0 or beyond its axis is refused when the op runs
/// (Error); wrong shapes, types and attributes when it is written on the tape (ShapeError).
namespace ops {

/// y_i…k…l = x_i…index(i…k…l)…l: along one axis each entry of the index picks an entry of x (attribute 0: that axis).
/// x, index int32 of the same rank, no longer than x on the other axes -> y of the index's shape.
/// ∂x sums ∂y in the order of the index. Source: torch.gather.
const Op& gather_along();
/// y = x, then y_i…index(i…k…l)…l = src_i…k…l (attribute 0: the axis). x, index int32 and src of one rank; the index is no
/// longer than src on any axis, and than x on the others -> y of x's shape. Of several entries for one place the last one
/// stays, and it alone gets the gradient; ∂x is 0 where src was written. Source: torch.scatter, which leaves the order open.
const Op& scatter();
/// y = x, then y_i…index(i…k…l)…l += src_i…k…l in the order of the index (attribute 0: the axis); shapes as of scatter.
/// ∂x = ∂y, ∂src = ∂y at the index. Source: torch.scatter_add.
const Op& scatter_add();
/// The slices of x that an index names, along an axis (attribute 0). x (…, N, …), index (K) int32 -> y (…, K, …).
/// ∂x sums the slices of ∂y in the order of the index. Source: torch.index_select.
const Op& index_select();
/// y_i = table_index(i): a row for each index, whatever the index's shape. table (V, C), index (…) int32 -> y (…, C).
/// Attribute 0: whether there is a padding index, 1: which; its row gets no gradient. Source: torch.nn.functional.embedding.
const Op& embedding();
/// y_ij = 1 where j = index_i, else 0. index (…) int32 -> y (…, C); attribute 0: C, 1: y's dtype. No gradient.
/// Source: torch.nn.functional.one_hot.
const Op& one_hot();
/// The k largest of each line along the last axis, the largest first (attribute 0: k), and where they were; the first of two
/// alike comes first, and a NaN is larger than every number. x (…, N) -> values (…, k), index (…, k) int32.
/// ∂x = ∂values at the index, else 0. Source: torch.topk.
const Op& top_k();
/// Each line along the last axis in ascending order, or descending (attribute 0 not 0), and where its entries were. Stable:
/// of two alike the first stays first; a NaN is larger than every number. x (…, N) -> values (…, N), index (…, N) int32.
/// ∂x as of top_k. Source: torch.sort.
const Op& sort();

} // namespace ops

std::span<const Op* const> indexing_ops();

} // namespace gradus
