#pragma once

#include <span>

namespace gradus {

struct Op;

/// Element by element: arithmetic, functions, comparisons and choices, and fused forms of two of them.
std::span<const Op* const> elementwise_ops();

/// PyTorch's default for attribute 0 of leaky_relu.
constexpr double default_leaky_slope = 0.01;

/// The broadcasting rule of the ops here: operands are stretched to one shape as NumPy does it (Harris et al. 2020), aligned at the
/// last axis; an axis of 1 or a missing one serves every index of the other's, so (3, 1) and (4) give (3, 4). The gradient of a
/// stretched operand is summed over the elements that it served (sum_to). Operands may have any rank and strides and be empty; the
/// result's axes keep the names of the operand that has them.
namespace ops {

/// c = a + b, rounded once. a, b of one of fp16/bf16/fp32/fp64, stretched by the rule above -> c of the stretched shape, in the
/// unit of a and b. NaN and ±∞ as in IEEE 754 (∞ - ∞ = NaN). May be written onto a where c has a's shape (gradients that are
/// added up). ∂a = ∂c and ∂b = ∂c are the tensor ∂c itself where the shapes are one.
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: IEEE 754-2019, 5.4.1.
const Op& add();
/// c = a - b, rounded once. a, b of one of fp16/bf16/fp32/fp64, stretched by the rule above -> c of the stretched shape, in the
/// unit of a and b. NaN and ±∞ as in IEEE 754 (∞ - ∞ = NaN). ∂a = ∂c, ∂b = -∂c.
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: IEEE 754-2019, 5.4.1.
const Op& subtract();
/// c = a · b, element by element, rounded once. a, b of one of fp16/bf16/fp32/fp64, stretched by the rule above -> c of the
/// stretched shape, in the product of the units. NaN and ±∞ as in IEEE 754 (0 · ∞ = NaN). ∂a = ∂c · b, ∂b = ∂c · a.
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: IEEE 754-2019, 5.4.1.
const Op& multiply();
/// c = a / b, rounded once. a, b of one of fp16/bf16/fp32/fp64, stretched by the rule above -> c of the stretched shape, in the
/// unit of a per unit of b. Division by 0 gives ±∞; 0 / 0 and ∞ / ∞ NaN. ∂a = ∂c / b, ∂b = -∂c · a / b².
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: IEEE 754-2019, 5.4.1.
const Op& divide();
/// c = max(a, b), NaN where either is; of 0 and -0 it is b. a, b of one of fp16/bf16/fp32/fp64, stretched by the rule above -> c
/// of the stretched shape, in the unit of a and b. ∂c goes to the larger one, half to each of two alike, all of it to both at a
/// NaN.
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: torch.maximum.
const Op& maximum();
/// c = min(a, b), NaN where either is; of 0 and -0 it is b. a, b of one of fp16/bf16/fp32/fp64, stretched by the rule above -> c
/// of the stretched shape, in the unit of a and b. ∂c goes to the smaller one, half to each of two alike, all of it to both at a
/// NaN.
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: torch.minimum.
const Op& minimum();
/// c = a^b, made in double precision (see power for the digits). a, b of one of fp16/bf16/fp32/fp64, unitless, stretched by the
/// rule above -> c of the stretched shape, unitless. a^0 = 1^b = 1, with a NaN too; a negative a has powers for whole b only,
/// else NaN; 0^b is ±∞ for b < 0. ∂a = ∂c · b · a^(b-1), 0 where b = 0; ∂b = ∂c · a^b · ln a, 0 where a = 0 and b >= 0, NaN for
/// negative a.
/// Throws ShapeError where shapes do not stretch to each other, types differ or are not floating. Source: torch.pow; IEEE
/// 754-2019, 9.2.1 (pow), but for -∞ to a power that is not whole.
const Op& power_tensor();

/// c = 1 where a = b, else 0. a, b of one of fp16/bf16/fp32/fp64/int32/bool, stretched by the rule above -> c boolean of the
/// stretched shape, unitless. A NaN equals nothing, not even itself; 0 = -0. No gradient.
/// Throws ShapeError where shapes do not stretch to each other or types differ or are others. Source: IEEE 754-2019, 5.11;
/// torch.eq.
const Op& equal();
/// c = 1 where a ≠ b, else 0. a, b of one of fp16/bf16/fp32/fp64/int32/bool, stretched by the rule above -> c boolean of the
/// stretched shape, unitless. 1 where either is a NaN; 0 and -0 are alike. No gradient.
/// Throws ShapeError where shapes do not stretch to each other or types differ or are others. Source: IEEE 754-2019, 5.11;
/// torch.ne.
const Op& not_equal();
/// c = 1 where a < b, else 0. a, b of one of fp16/bf16/fp32/fp64/int32/bool (0 < 1), stretched by the rule above -> c boolean of
/// the stretched shape, unitless. 0 where either is a NaN. No gradient.
/// Throws ShapeError where shapes do not stretch to each other or types differ or are others. Source: IEEE 754-2019, 5.11;
/// torch.lt.
const Op& less();
/// c = 1 where a ≤ b, else 0. a, b of one of fp16/bf16/fp32/fp64/int32/bool (0 < 1), stretched by the rule above -> c boolean of
/// the stretched shape, unitless. 0 where either is a NaN. No gradient.
/// Throws ShapeError where shapes do not stretch to each other or types differ or are others. Source: IEEE 754-2019, 5.11;
/// torch.le.
const Op& less_equal();
/// c = 1 where a > b, else 0. a, b of one of fp16/bf16/fp32/fp64/int32/bool (0 < 1), stretched by the rule above -> c boolean of
/// the stretched shape, unitless. 0 where either is a NaN. No gradient.
/// Throws ShapeError where shapes do not stretch to each other or types differ or are others. Source: IEEE 754-2019, 5.11;
/// torch.gt.
const Op& greater();
/// c = 1 where a ≥ b, else 0. a, b of one of fp16/bf16/fp32/fp64/int32/bool (0 < 1), stretched by the rule above -> c boolean of
/// the stretched shape, unitless. 0 where either is a NaN. No gradient.
/// Throws ShapeError where shapes do not stretch to each other or types differ or are others. Source: IEEE 754-2019, 5.11;
/// torch.ge.
const Op& greater_equal();
/// c = a where m, else b. m boolean, a and b of one of fp16/bf16/fp32/fp64, all three stretched by the rule above -> c of the
/// stretched shape, in the unit of a and b. A NaN that is not chosen leaves no trace. ∂a = ∂c where m, else 0; ∂b = ∂c where not
/// m, else 0.
/// Throws ShapeError where shapes do not stretch to one, m is not boolean, or a and b are not of one floating type. Source:
/// torch.where.
const Op& where();

/// y = -x. x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape, in the unit of x. The sign bit alone changes: -0 at 0, a NaN
/// stays one. ∂x = -∂y.
/// Throws ShapeError for a type that is not floating. Source: IEEE 754-2019, 5.5.1.
const Op& negate();
/// y = e^x. x of any shape, fp16/bf16/fp32/fp64, unitless -> y of x's shape, unitless. 0 below -86.5 (fp64: -707), little above
/// the logarithm of the smallest normal number; ∞ above 88.72283 (fp64: 709.7827); a NaN stays. ∂x = ∂y · y.
/// Throws ShapeError for a type that is not floating. Source: IEEE 754-2019, 9.2 (exp); Cody and Waite 1980 (the reduction).
const Op& exp();
/// y = ln x. x of any shape, fp16/bf16/fp32/fp64, unitless -> y of x's shape, unitless. -∞ at 0 and at subnormal x, NaN below, ∞
/// at ∞; a NaN stays. ∂x = ∂y / x.
/// Throws ShapeError for a type that is not floating. Source: IEEE 754-2019, 9.2 (log).
const Op& log();
/// y = √x, rounded once. x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape, in the root of x's unit. -0 at -0, NaN below 0, ∞
/// at ∞. ∂x = ∂y / (2y), ∞ at 0.
/// Throws ShapeError for a type that is not floating. Source: IEEE 754-2019, 5.4.1.
const Op& sqrt();
/// y = 1 / x, rounded once. x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape, in 1 per unit of x. ±∞ at ±0, ±0 at ±∞; a NaN
/// stays. ∂x = -∂y · y².
/// Throws ShapeError for a type that is not floating. Source: IEEE 754-2019, 5.4.1.
const Op& reciprocal();
/// y = |x|. x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape, in the unit of x. ∞ at ±∞; a NaN stays. ∂x = ∂y · sign x, 0 at
/// 0 and at a NaN.
/// Throws ShapeError for a type that is not floating. Source: IEEE 754-2019, 5.5.1.
const Op& abs();
/// y = x^p, attribute 0 is p. x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape, in x's unit to the p. x^0 = 1 for every x, a
/// NaN too; NaN for negative x where p is not whole; 0^p = ±∞ for p < 0. Whole p up to ±16 are products, ±½ are roots, others
/// e^(p · ln |x|) in double precision: at most (2 + 2 |p · ln |x||) · 2.2e-16 relative error, and then the rounding of the type.
/// ∂x = ∂y · p · x^(p-1), 0 where p = 0.
/// Throws ShapeError for a type that is not floating. Source: torch.pow; IEEE 754-2019, 9.2.1 (pow), but for -∞ to a power that
/// is not whole.
const Op& power();
/// y = min(max(x, low), high); attributes low and high, -∞ and ∞ where there is no bound. x of any shape, fp16/bf16/fp32/fp64
/// -> y of x's shape, in the unit of x and the bounds. A NaN stays; high where low > high. ∂x = ∂y where low < x < high, else 0
/// (at the bounds the choice of PyTorch 2.15).
/// Throws ShapeError for a type that is not floating or a bound that is a NaN. Source: torch.clamp.
const Op& clamp();
/// y = x where x > 0, else slope · x; attribute 0 is the slope (PyTorch: default_leaky_slope), unitless. x of any shape,
/// fp16/bf16/fp32/fp64 -> y of x's shape, in the unit of x. A NaN stays. ∂x = ∂y where x > 0, else slope · ∂y, at 0 too.
/// Throws ShapeError for a type that is not floating. Source: Maas, Hannun and Ng 2013.
const Op& leaky_relu();
/// y = x · σ(2u) = x/2 · (1 + tanh u), u = √(2/π) · (x + 0.044715 x³): GELU without the normal distribution. x of any shape,
/// fp16/bf16/fp32/fp64, unitless -> y of x's shape, unitless; made in double precision. ∞ at ∞, NaN at -∞ (-∞ · 0) and at NaN.
/// ∂x = ∂y · (σ(2u) + 2x · σ(2u) · σ(-2u) · u'), u' = √(2/π) · (1 + 0.134145 x²), from the saved x.
/// Throws ShapeError for a type that is not floating. Source: Hendrycks and Gimpel 2016.
const Op& gelu_tanh();

/// y = max(0, x + b), in one pass over x; the same bits as add and relu in fp32 and fp64. x (…, C), b (C), both of one of
/// fp16/bf16/fp32/fp64 -> y (…, C), in the unit of x and b. A NaN stays. ∂x = ∂z = ∂y where y > 0 or y is NaN, else 0; ∂b = Σ ∂z
/// over the rows.
/// Throws ShapeError unless b is a vector as long as x's last axis, of x's floating type. Sources: Nair and Hinton 2010 (ReLU);
/// NVIDIA cuBLASLt, CUBLASLT_EPILOGUE_RELU_BIAS (the fusion).
const Op& bias_relu();
/// y = z · Φ(z), z = x + b, in one pass over x; the same bits as add and gelu in fp32 and fp64. x (…, C), b (C), both of one of
/// fp16/bf16/fp32/fp64, unitless -> y (…, C), unitless. ∞ and 0 where z is ∞ and -∞; a NaN stays. ∂x = ∂z = ∂y · (Φ(z) + z · φ(z));
/// ∂b = Σ ∂z over the rows. Saves x and b, not their sum.
/// Throws ShapeError unless b is a vector as long as x's last axis, of x's floating type. Sources: Hendrycks and Gimpel 2016
/// (GELU); Narayanan et al. 2021, section 4.2 (the fusion).
const Op& bias_gelu();
/// y = z · σ(2u), z = x + b, u = √(2/π) · (z + 0.044715 z³), in one pass over x; the same bits as add and gelu_tanh in fp32 and
/// fp64. x (…, C), b (C), both of one of fp16/bf16/fp32/fp64, unitless -> y (…, C), unitless. NaN where z is NaN or -∞.
/// ∂x = ∂z = ∂y · (σ(2u) + 2z · σ(2u) · σ(-2u) · u'); ∂b = Σ ∂z over the rows. Saves x and b, not their sum.
/// Throws ShapeError unless b is a vector as long as x's last axis, of x's floating type. Sources: Hendrycks and Gimpel 2016
/// (GELU); Narayanan et al. 2021, section 4.2 (the fusion).
const Op& bias_gelu_tanh();

} // namespace ops

} // namespace gradus
