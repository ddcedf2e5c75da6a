#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

/// Matrix products.
std::span<const Op* const> product_ops();

namespace ops {

/// C_ij = Σ_k A_ik · B_kj; attributes: transpose A, transpose B (not 0: stored as (K, M), as (N, K)). A (M, K), B (K, N), both of
/// one of fp16/bf16/fp32/fp64 -> C (M, N), in the product of the units. 0 where K = 0; M and N may be 0; a NaN or ±∞ stays in its
/// row or column. ∂A = ∂C · Bᵀ, ∂B = Aᵀ · ∂C. 2·M·N·K FLOPs.
/// Throws ShapeError unless both are matrices of one floating type with equal inner sizes. Source: Dongarra, Du Croz, Hammarling
/// and Duff 1990 (GEMM).
const Op& matmul();
/// C_…ij = Σ_k A_…ik · B_…kj, one product per pair of matrices; attributes: transpose A, transpose B (of the last two axes). A
/// (…, M, K), B (…, K, N), both of one of fp16/bf16/fp32/fp64 -> C (…, M, N), in the product of the units: leading axes are alike
/// or broadcast from the right, so that A (8, 4, 5) times B (5, 6) is C (8, 4, 6). 0 where K = 0; any size may be 0; a NaN or ±∞
/// stays in its row or column. ∂A = ∂C · Bᵀ, ∂B = Aᵀ · ∂C, summed over the matrices that a broadcast operand was used for.
/// 2·M·N·K FLOPs a matrix.
/// Throws ShapeError for fewer than two axes, types that differ or are not floating, other inner sizes or leading axes that do
/// not broadcast. Source: numpy.matmul.
const Op& batched_matmul();

} // namespace ops

} // namespace gradus
