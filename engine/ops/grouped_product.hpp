#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

namespace ops {

/// A product in which every row has a matrix of its own out of G: y_in = Σ_k x_ik · W_g(i)kn. x (M, K), W (G, K, N), g (M) int32
/// -> y (M, N); attribute 0: W is stored transposed, (G, N, K). Rows of one group that lie one after another are one matrix
/// product, so rows are sorted by group where speed counts; the result does not depend on it. A group may have no rows: its ∂W
/// is 0. ∂x_i = ∂y_i · W_g(i)ᵀ, ∂W_g = Σ x_iᵀ · ∂y_i over the rows of group g, in their order. 2·M·N·K FLOPs. A group out of
/// [0, G) is refused when the op runs (Error), wrong shapes and types when it is written on the tape (ShapeError).
/// Source: Gale et al. 2023, MegaBlocks (grouped GEMM for mixtures of experts).
const Op& grouped_matmul();

} // namespace ops

std::span<const Op* const> grouped_product_ops();

} // namespace gradus
