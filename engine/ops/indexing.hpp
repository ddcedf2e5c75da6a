#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

/// Ops that read or write at places an int32 index names. An index below 0 or beyond its axis is refused when the op runs
/// (Error); wrong shapes, types and attributes when it is written on the tape (ShapeError).
namespace ops {

/// y_i…k…l = x_i…index(i…k…l)…l: along one axis each entry of the index picks an entry of x (attribute 0: that axis). x
/// fp16/bf16/fp32/fp64, int32 or bool, index int32 of the same rank, no longer than x on the other axes -> y of the index's
/// shape, x's type and unit. The index may be empty. ∂x sums ∂y in the order of the index; none to the index.
/// Throws ShapeError for other ranks, index types, lengths or axes; UnavailableError for another type of x; Error when it runs
/// where an index lies outside the axis. Source: torch.gather.
const Op& gather_along();
/// y = x, then y_i…index(i…k…l)…l = src_i…k…l (attribute 0: the axis). x and src of one of fp16/bf16/fp32/fp64, int32 or bool,
/// index int32, all of one rank; the index is no longer than src on any axis, and than x on the others -> y of x's shape, type
/// and unit. Of several entries for one place the last one stays, and it alone gets the gradient ∂src = ∂y there, else 0; ∂x is
/// ∂y, but 0 where src was written. The index may be empty.
/// Throws ShapeError for other ranks, index types, lengths or axes, or types of x and src that differ; UnavailableError for
/// another type of x; Error when it runs where an index lies outside the axis. Source: torch.scatter, which leaves the order
/// open.
const Op& scatter();
/// y = x, then y_i…index(i…k…l)…l += src_i…k…l in the order of the index (attribute 0: the axis), summed in double precision. x
/// and src of one of fp16/bf16/fp32/fp64, index int32, all of one rank; the index is no longer than src on any axis, and than x
/// on the others -> y of x's shape, type and unit. The index may be empty; a NaN stays in its place. ∂x = ∂y, ∂src = ∂y at the
/// index, 0 beyond it.
/// Throws ShapeError for other ranks, types, lengths or axes; Error when it runs where an index lies outside the axis. Source:
/// torch.scatter_add.
const Op& scatter_add();
/// y_…k… = x_…index(k)…: the slices of x that an index names, along an axis (attribute 0). x (…, N, …) fp16/bf16/fp32/fp64, int32
/// or bool, index (K) int32 -> y (…, K, …), in the unit of x. K may be 0. ∂x sums the slices of ∂y in the order of the index;
/// none to the index.
/// Throws ShapeError for a scalar x, an index that is no int32 vector, or an axis that x does not have; UnavailableError for
/// another type of x; Error when it runs where an index lies outside [0, N). Source: torch.index_select.
const Op& index_select();
/// y_i = table_index(i): a row for each index, whatever the index's shape. table (V, C) fp16/bf16/fp32/fp64, int32 or bool, index
/// (…) int32, of at most 5 axes -> y (…, C), in the unit of the table. Attribute 0: whether there is a padding index, 1: which;
/// its row gets no gradient. ∂table_v sums the ∂y_i with index(i) = v, in their order; 0 for a row that no index names.
/// Throws ShapeError for a table that is no matrix, another index or a padding index outside [0, V); UnavailableError for another
/// type of table; Error when it runs where an index lies outside [0, V). Source: torch.nn.functional.embedding.
const Op& embedding();
/// y_ij = 1 where j = index_i, else 0. index (…) int32, of at most 5 axes -> y (…, C), unitless; attribute 0: C, 1: the number of
/// y's DType, one of fp16/bf16/fp32/fp64. The index may be empty. No gradient.
/// Throws ShapeError for another index, C below 1 or a DType that is not floating; Error when it runs where an index lies outside
/// [0, C). Source: torch.nn.functional.one_hot.
const Op& one_hot();
/// y_k = x_index(k), the k largest of each line along the last axis, the largest first (attribute 0: k), and where they were; the
/// first of two alike comes first, and a NaN is larger than every number. x (…, N) fp16/bf16/fp32/fp64 -> values y (…, k), in the
/// unit of x, index (…, k) int32; 0 <= k <= N. ∂x = ∂values at the index, else 0; none through the index.
/// Throws ShapeError for a scalar, a type that is not floating, a line of 2^31 entries or a k outside [0, N]. Source: torch.topk.
const Op& top_k();
/// y_k = x_index(k), each line along the last axis in ascending order, or descending (attribute 0 not 0), and where its entries
/// were. Stable: of two alike the first stays first; a NaN is larger than every number. x (…, N) fp16/bf16/fp32/fp64 -> values y
/// (…, N), in the unit of x, index (…, N) int32; may be empty. ∂x = ∂values at the index; none through the index.
/// Throws ShapeError for a scalar, a type that is not floating or a line of 2^31 entries. Source: torch.sort with stable=True.
const Op& sort();

} // namespace ops

std::span<const Op* const> indexing_ops();

} // namespace gradus
