#pragma once

#include "engine/autograd/tape.hpp"

#include <span>

namespace gradus {

/// Matrix products.
std::span<const Op* const> product_ops();

namespace ops {

/// Product C_ij = Σ_k A_ik · B_kj; attributes: transpose A, transpose B. A (M, K), B (K, N) -> C (M, N).
/// 2·M·N·K FLOPs. Throws ShapeError where the inner sizes differ.
const Op& matmul();
/// One product per pair of matrices, C_…ij = Σ_k A_…ik · B_…kj; attributes: transpose A, transpose B (of the last two axes).
/// A (…, M, K), B (…, K, N) -> C (…, M, N): leading axes are alike or broadcast from the right, so that A (8, 4, 5) times
/// B (5, 6) is C (8, 4, 6). The gradient of a broadcast operand is summed over the matrices that it was used for.
/// 2·M·N·K FLOPs a matrix. Throws ShapeError where inner sizes differ or leading axes do not broadcast.
const Op& batched_matmul();

} // namespace ops

} // namespace gradus
