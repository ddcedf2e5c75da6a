#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

namespace ops {

/// y_in = Σ_k x_ik · W_g(i)kn, a product in which every row has a matrix of its own out of G. x (M, K), W (G, K, N), both of one
/// of fp16/bf16/fp32/fp64, g (M) int32 -> y (M, N), in the product of the units; attribute 0: W is stored transposed, (G, N, K).
/// Rows of one group that lie one after another are one matrix product, so rows are sorted by group where speed counts; the
/// result does not depend on it. 0 where K = 0; M may be 0; a NaN or ±∞ of x stays in its row. A group may have no rows: its ∂W
/// is 0. ∂x_i = ∂y_i · W_g(i)ᵀ, ∂W_g = Σ x_iᵀ · ∂y_i over the rows of group g, in their order. 2·M·N·K FLOPs.
/// Throws ShapeError unless shapes and types are these and fit each other; Error when it runs where a group lies outside [0, G).
/// Source: Gale et al. 2023, MegaBlocks (grouped GEMM for mixtures of experts).
const Op& grouped_matmul();

} // namespace ops

std::span<const Op* const> grouped_product_ops();

} // namespace gradus
