#pragma once

#include <span>

namespace gradus {

struct Op;

/// Element by element: arithmetic, functions, comparisons and choices, and fused forms of two of them.
std::span<const Op* const> elementwise_ops();

/// PyTorch's default for attribute 0 of leaky_relu.
constexpr double default_leaky_slope = 0.01;

/// Two operands are stretched to one shape as NumPy does it: aligned at the last axis, an axis of 1 or a missing one
/// serves every index of the other's, so (3, 1) and (4) give (3, 4). The gradient of a stretched operand is summed over
/// the elements that it served (sum_to). Floating operands of one type, of any rank and strides, empty ones too; the
/// result's axes keep the names of the operand that has them. Each throws ShapeError for shapes that do not stretch to each
/// other and for types that differ.
namespace ops {

/// c = a + b. May be written onto a where the result has a's shape (gradients that are added up).
/// ∂a = ∂c and ∂b = ∂c are the tensor ∂c itself where the shapes are one.
const Op& add();
/// c = a - b; ∂a = ∂c, ∂b = -∂c.
const Op& subtract();
/// c = a · b, element by element; ∂a = ∂c · b, ∂b = ∂c · a.
const Op& multiply();
/// c = a / b; ∂a = ∂c / b, ∂b = -∂c · a / b². Division by 0 gives ±∞, and 0 / 0 NaN.
const Op& divide();
/// c = max(a, b), NaN where either is; ∂c goes to the larger one, half to each of two alike.
const Op& maximum();
/// c = min(a, b), NaN where either is; ∂c goes to the smaller one, half to each of two alike.
const Op& minimum();
/// c = a^b; ∂a = ∂c · b · a^(b-1), ∂b = ∂c · a^b · ln a, which is 0 where a = 0 and b >= 0. A negative a has powers
/// for whole b only, else NaN. See `power` for the digits.
const Op& power_tensor();

/// 1 where it holds, else 0, as DType::boolean; no gradient. Operands are two floating, int32 or boolean tensors of one
/// type. Every comparison with a NaN is 0, but not_equal 1.
const Op& equal();
const Op& not_equal();
const Op& less();
const Op& less_equal();
const Op& greater();
const Op& greater_equal();
/// c = a where m, else b. m boolean, a and b of one floating type; all three are stretched to one shape.
/// ∂a = ∂c where m, else 0; ∂b = ∂c where not m, else 0.
const Op& where();

/// y = -x.
const Op& negate();
/// y = e^x; ∂x = ∂y · y. 0 below the smallest normal number's logarithm.
const Op& exp();
/// y = ln x; ∂x = ∂y / x. -∞ at 0, NaN below.
const Op& log();
/// y = √x; ∂x = ∂y / (2y). NaN below 0.
const Op& sqrt();
/// y = 1 / x; ∂x = -∂y · y².
const Op& reciprocal();
/// y = |x|; ∂x = ∂y · sign x, 0 at 0.
const Op& abs();
/// y = x^p, attribute 0 is p; ∂x = ∂y · p · x^(p-1), 0 where p = 0. x^0 = 1 for every x. Whole p up to ±16 are products,
/// ±½ are roots, others e^(p · ln |x|) in double precision: at most (2 + 2 |p · ln |x||) · 2.2e-16 relative error, and then
/// the rounding of the type. NaN for negative x where p is not whole.
const Op& power();
/// y = min(max(x, low), high); attributes low and high, -∞ and ∞ where there is no bound; a NaN stays.
/// ∂x = ∂y where low < x < high, else 0 (at the bounds the choice of PyTorch 2.15).
const Op& clamp();
/// y = x where x > 0, else slope · x; attribute 0 is the slope (PyTorch: default_leaky_slope).
/// ∂x = ∂y where x > 0, else slope · ∂y.
const Op& leaky_relu();
/// y = x · σ(2u) = x/2 · (1 + tanh u), u = √(2/π) · (x + 0.044715 x³): GELU without the normal distribution.
/// Source: Hendrycks and Gimpel 2016.
const Op& gelu_tanh();

/// y = max(0, x + b), in one pass over x. x (…, C), b (C) -> y (…, C); the same bits as add and relu.
const Op& bias_relu();
/// y = (x + b) · Φ(x + b), in one pass over x. x (…, C), b (C) -> y (…, C); the same bits as add and gelu. Saves x and
/// b, not their sum.
const Op& bias_gelu();
/// gelu_tanh(x + b), in one pass over x. x (…, C), b (C) -> y (…, C); the same bits as add and gelu_tanh.
const Op& bias_gelu_tanh();

} // namespace ops

} // namespace gradus
