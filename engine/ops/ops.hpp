#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/ops/attention.hpp"
#include "engine/ops/cast.hpp"
#include "engine/ops/conv.hpp"
#include "engine/ops/dropout.hpp"
#include "engine/ops/element_losses.hpp"
#include "engine/ops/grouped_product.hpp"
#include "engine/ops/indexing.hpp"
#include "engine/ops/elementwise.hpp"
#include "engine/ops/layout.hpp"
#include "engine/ops/loss_scale.hpp"
#include "engine/ops/reduce.hpp"
#include "engine/ops/norm.hpp"
#include "engine/ops/pool.hpp"
#include "engine/ops/product.hpp"
#include "engine/ops/softmax.hpp"
#include "engine/ops/update.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// An op: how it looks on the tape, what it costs, and how its gradient is made. The arithmetic is the backend's.
struct Op {
    std::string_view name;    ///< "matmul"; also its id in `gradus list ops`
    const char* kernel;       ///< the name a backend knows it by
    std::string_view formula; ///< in the field's letters
    std::vector<Value> (*infer)(const Tape& tape, std::span<const ValueIndex> inputs, const Attributes& attributes);
    Cost (*cost)(const Tape& tape, const Node& node);
    void (*backward)(Tape& tape, NodeIndex node); ///< appends the gradient's nodes; null where there is none
    std::string_view fused_from = {}; ///< "softmax + cross_entropy": the ops it does at once; empty for a single one
    bool seeds_itself = false;        ///< a loss whose backward rule takes ∂L = 1 as given and reads no gradient of its output
    /// For an op that computes nothing: where its output's elements lie in the buffer of its input, or nothing where no strides
    /// say so (the tape then copies the input). Called with attributes that `infer` has accepted; `shape` is what it inferred.
    std::optional<Layout> (*view)(const Layout& input, const Shape& shape, const Attributes& attributes) = nullptr;
};

/// The op's formula as it is called: where an operand of a product is transposed, its indices change places.
std::string formula_of(const Op& op, std::span<const double> attributes);

/// Every op that computes forward, for lists and for the tests that go over all of them: those below and each family's.
std::span<const Op* const> all_ops();
std::span<const Op* const> lesson_ops(); ///< those below

/// The ops of a multi-layer perceptron and of the lessons before it. Rows are examples: x (B, in), W (in, out), z = x · W + b.
/// What an op says it throws comes from its shape rule, when it is written on a tape, or (Error) from its kernel, when it runs;
/// Tape::apply adds UnavailableError where the device computes no such op on these types. 16-bit types are computed in fp32, and
/// results rounded once.
namespace ops {

/// z_ij = x_ij + b_j. x (B, C), b (C), both of one of fp16/bf16/fp32/fp64 -> z (B, C), in the unit of x and b; B and C may be 0.
/// NaN and ±∞ go on as in any sum. ∂x = ∂z, the tensor itself; ∂b_j = Σ_i ∂z_ij (sum_rows).
/// Throws ShapeError unless x is a matrix and b a vector as wide, of x's type. Source: torch.nn.functional.linear, its bias.
const Op& add_bias();
/// s_j = Σ_i x_ij: the gradient of a bias. x (B, C) fp16/bf16/fp32/fp64 -> s (C), in the unit of x; 0 of no rows. Rows are added
/// in their order in x's type (fp32 for 16 bits); a NaN stays in its column. No gradient of its own.
/// Throws ShapeError unless x is a floating matrix. Source: numpy.sum along axis 0.
const Op& sum_rows();

/// y = max(0, x). x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape, in the unit of x. A NaN stays, max(0, ∞) = ∞, -0 stays.
/// ∂x = ∂y where y > 0 or y is NaN, else 0, so 0 at x = 0.
/// Throws ShapeError for a type that is not floating. Source: Nair and Hinton 2010.
const Op& relu();
/// y = (e^x - e^-x) / (e^x + e^-x). x of any shape, fp16/bf16/fp32/fp64, unitless -> y of x's shape, unitless, in [-1, 1]. ±1 at
/// ±∞; a NaN stays. ∂x = ∂y · (1 - y²), from the saved y.
/// Throws ShapeError for a type that is not floating. Source: LeCun, Bottou, Orr and Müller 1998 (as an activation).
const Op& tanh();
/// y = 1 / (1 + e^-x). x of any shape, fp16/bf16/fp32/fp64, unitless (log-odds) -> y of x's shape, a share in [0, 1]. 0 at -∞, 1
/// at ∞; a NaN stays; neither sign overflows. ∂x = ∂y · y · (1 - y), from the saved y.
/// Throws ShapeError for a type that is not floating. Source: Rumelhart, Hinton and Williams 1986, equation 2.
const Op& sigmoid();
/// y = x · Φ(x) = x/2 · (1 + erf(x/√2)). x of any shape, fp16/bf16/fp32/fp64, unitless -> y of x's shape, unitless. ∞ at ∞, 0
/// at -∞, its limits; a NaN stays. ∂x = ∂y · (Φ(x) + x · φ(x)), φ(x) = e^(-x²/2) / √(2π), from the saved x; ∂y at ∞, 0 at -∞.
/// Throws ShapeError for a type that is not floating. Source: Hendrycks and Gimpel 2016.
const Op& gelu();
/// y = x · σ(x) = x / (1 + e^-x), also called swish. x of any shape, fp16/bf16/fp32/fp64, unitless -> y of x's shape, unitless. ∞
/// at ∞, NaN at -∞ (-∞ · 0) and at NaN. ∂x = ∂y · σ(x) · (1 + x · (1 - σ(x))), from the saved x.
/// Throws ShapeError for a type that is not floating. Source: Elfwing, Uchibe and Doya 2018.
const Op& silu();
/// y = 1 where x > 0, else 0 (Heaviside). x of any shape, fp16/bf16/fp32/fp64 -> y of x's shape and type, unitless. A NaN stays.
/// ∂x = 0 by definition here, at 0 too, where it has none; NaN where y is.
/// Throws ShapeError for a type that is not floating. Source: numpy.heaviside with 0 at 0; McCulloch and Pitts 1943.
const Op& step();

/// p_ij = e^(z_ij) / Σ_k e^(z_ik), the row's largest z subtracted first; L = -1/B · Σ_i ln p_i,y(i). z (B, C)
/// fp16/bf16/fp32/fp64, unitless, y (B) int32 -> p (B, C), shares in [0, 1], L () in nats, both of z's type. A row with a NaN or
/// an ∞, or of -∞ alone, gives NaN. ∂z = (p - y as one-hot rows) / B, with ∂L = 1 taken as given; none through p.
/// Throws ShapeError unless shapes and types are these and B, C > 0; Error when it runs where a label lies outside [0, C).
/// Sources: Bridle 1990; torch.nn.functional.cross_entropy.
const Op& softmax_cross_entropy();
/// p = σ(z), L = -mean(y · ln p + (1 - y) · ln(1 - p)), made of z without cancellation. z (B, 1), (B, C) or (B), y of its shape,
/// in [0, 1] (not checked), both of one of fp16/bf16/fp32/fp64 -> p of z's shape, a share in [0, 1], L () in nats. A NaN of z or
/// y goes to L; an infinite z gives L = ∞ or NaN. ∂z = (p - y) / n, n elements, with ∂L = 1 taken as given; none to y or through
/// p.
/// Throws ShapeError unless z and y are of one shape and floating type, with elements. Sources: Solla, Levin and Fleisher 1988;
/// torch.nn.functional.binary_cross_entropy_with_logits.
const Op& binary_cross_entropy();
/// L = mean((z - y)²). z (B, C) or (B), y of its shape, both of one of fp16/bf16/fp32/fp64 -> L (), in the unit of z squared;
/// summed in double precision. A NaN goes to L. ∂z = 2 · (z - y) / n, n elements, with ∂L = 1 taken as given; none to y.
/// Throws ShapeError unless z and y are of one shape and floating type, with elements. Source: torch.nn.functional.mse_loss.
const Op& mean_squared_error();

/// L = ½ · Σ_i a_i · w_i², a bowl whose curvatures are a. w (d), a (d), or both of another shape, of one of fp16/bf16/fp32/fp64
/// -> L (), in the unit of a · w²; summed in double precision. A NaN goes to L. ∂w_i = a_i · w_i, with ∂L = 1 taken as given;
/// none to a.
/// Throws ShapeError unless w and a are of one shape and floating type, with elements. Source: Goh 2017, Why Momentum Really
/// Works.
const Op& quadratic();
/// p_ij = e^(z_ij) / Σ_k e^(z_ik), the row's largest z subtracted first. z (B, C) fp16/bf16/fp32/fp64, unitless -> p (B, C),
/// shares in [0, 1] that sum to 1 in a row. A row with a NaN or an ∞, or of -∞ alone, gives NaN.
/// ∂z_ij = p_ij · (∂p_ij - Σ_k p_ik · ∂p_ik), from the saved p.
/// Throws ShapeError unless z is a floating matrix with elements. Sources: Bridle 1990; Blanchard, Higham and Higham 2021
/// (the subtraction).
const Op& softmax();
/// L = -1/B · Σ_i ln p_i,y(i). p (B, C) fp16/bf16/fp32/fp64, shares in [0, 1] (not checked), y (B) int32 -> L () in nats. ∞ where
/// a label's p is 0, NaN where it is below. ∂p_i,y(i) = -1 / (B · p_i,y(i)), else 0, with ∂L = 1 taken as given.
/// Throws ShapeError unless shapes and types are these and p has elements; Error when it runs where a label lies outside [0, C).
/// Sources: Good 1952 (the logarithmic score); torch.nn.functional.nll_loss of ln p.
const Op& cross_entropy();

/// a = 1/B · Σ_i [argmax_j z_ij = y_i], the share of rows whose largest z is at the label; a tie or a NaN in the comparison is
/// wrong. z (B, C) fp16/bf16/fp32/fp64, y (B) int32 -> a () of z's type, a share in [0, 1]. No gradient.
/// Throws ShapeError unless shapes and types are these and z has elements; Error when it runs where a label lies outside [0, C).
/// Source: sklearn.metrics.accuracy_score of argmax, which takes the first of a tie.
const Op& accuracy();
/// a = 1/B · Σ_i [argmax_j z_ij = argmax_j y_ij], the first of several largest y; a tie or a NaN of z is wrong. z (B, C), y
/// (B, C) of 0 and 1, both of one of fp16/bf16/fp32/fp64 -> a () of z's type, a share in [0, 1]. No gradient.
/// Throws ShapeError unless z and y are matrices of one shape and floating type, with elements. Source:
/// sklearn.metrics.accuracy_score of both argmax.
const Op& one_hot_accuracy();
/// a = mean([z > t] where y > ½, [z < t] elsewhere); attribute 0 is the threshold t, in the unit of z. z equal to t or NaN is
/// wrong. z (B, 1) or any shape, y of its shape, both of one of fp16/bf16/fp32/fp64 -> a () of z's type, a share in [0, 1]. No
/// gradient.
/// Throws ShapeError unless z and y are of one shape and floating type, with elements. Source: sklearn.metrics.accuracy_score of
/// z > t, but for z = t.
const Op& binary_accuracy();

/// W' = W - lr · g; attribute 0 is lr, in units of W per unit of g. W and g of one shape, of one of fp16/bf16/fp32/fp64 -> W' of
/// that shape, which may be written onto W. A NaN or ±∞ of g goes to W'. No gradient.
/// Throws ShapeError where shapes or types differ, UnavailableError where they are not floating. Source: Robbins and Monro 1951.
const Op& sgd();
/// v' = mu · v + g, W' = W - lr · v'; attributes lr (units of W per unit of g), mu (unitless). PyTorch's convention
/// (no dampening). W, g and v of one shape, of one of fp16/bf16/fp32/fp64 -> W', v' (unit of g) of that shape, which may be
/// written onto W and v. A NaN or ±∞ of g stays in v'. No gradient.
/// Throws ShapeError where shapes or types differ, UnavailableError where they are not floating. Sources: Polyak 1964;
/// torch.optim.SGD.
const Op& momentum();
/// y_i… = x_index(i)…, the rows named by an index; of a uint8 x the bytes as numbers, times attribute 0. x (N, …) uint8, int32 or
/// fp16/bf16/fp32/fp64, index (B) int32 -> y (B, …) of the DType whose number is attribute 1: a floating one for uint8, x's own
/// for int32 and fp64, else any of fp16/bf16/fp32; in the unit of x. No gradient.
/// Throws ShapeError unless x has an axis and index is an int32 vector; UnavailableError for another pair of types; Error when it
/// runs where an index lies outside [0, N). Source: numpy.take along axis 0.
const Op& gather();

} // namespace ops

} // namespace gradus
