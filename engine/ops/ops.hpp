#pragma once

#include "engine/autograd/tape.hpp"

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
};

/// The op's formula as it is called: where an operand of a product is transposed, its indices change places.
std::string formula_of(const Op& op, std::span<const double> attributes);

/// Every op that computes forward in a lesson, for lists and for the tests that go over all of them.
std::span<const Op* const> all_ops();

/// The ops of a multi-layer perceptron and of the lessons before it. Rows are examples: x (B, in), W (in, out), z = x · W + b.
namespace ops {

/// Product C_ij = Σ_k A_ik · B_kj; attributes: transpose A, transpose B. A (M, K), B (K, N) -> C (M, N).
/// 2·M·N·K FLOPs. Throws ShapeError where the inner sizes differ.
const Op& matmul();
/// z_ij = x_ij + b_j. x (B, C), b (C) -> z (B, C).
const Op& add_bias();
/// s_j = Σ_i x_ij. x (B, C) -> s (C): the gradient of a bias.
const Op& sum_rows();

/// y = max(0, x).
const Op& relu();
/// y = (e^x - e^-x) / (e^x + e^-x).
const Op& tanh();
/// y = 1 / (1 + e^-x).
const Op& sigmoid();
/// y = x · Φ(x) = x/2 · (1 + erf(x/√2)). Source: Hendrycks and Gimpel 2016.
const Op& gelu();
/// y = x · σ(x), also called swish. Source: Elfwing, Uchibe and Doya 2018.
const Op& silu();
/// y = 1 where x > 0, else 0 (Heaviside); a NaN stays. Its derivative is 0 by definition here, at 0 too, where it has none.
const Op& step();

/// p_ij = e^(z_ij) / Σ_k e^(z_ik), L = -1/B · Σ_i ln p_i,y(i). z (B, C), y (B) int32 -> p (B, C), L ().
const Op& softmax_cross_entropy();
/// p = σ(z), L = -mean(y·ln p + (1-y)·ln(1-p)). z (B, 1), y (B, 1) in [0, 1] -> p (B, 1), L ().
const Op& binary_cross_entropy();
/// L = mean((z - y)²). z (B, C), y (B, C) -> L ().
const Op& mean_squared_error();

/// c_i = a_i · b_i. a, b of one shape -> c.
const Op& multiply();
/// L = ½ · Σ_i a_i · w_i², a bowl whose curvatures are a. w (d), a (d) -> L (); the gradient goes to w alone: ∂w_i = a_i · w_i.
const Op& quadratic();
/// p_ij = e^(z_ij) / Σ_k e^(z_ik), the largest z of a row subtracted first. z (B, C) -> p (B, C).
const Op& softmax();
/// L = -1/B · Σ_i ln p_i,y(i), and so ∂p = -y / (B · p). p (B, C) > 0, y (B) int32 -> L ().
const Op& cross_entropy();

/// Share of rows whose largest logit is at the label; ties and NaN are wrong. z (B, C), y (B) int32 -> ().
const Op& accuracy();
/// Share of rows whose largest entry is at the target's 1; ties and NaN are wrong. z (B, C), y (B, C) of 0 and 1 -> ().
const Op& one_hot_accuracy();
/// Share of entries on the target's side of a threshold (attribute 0). z (B, 1), y (B, 1) -> ().
const Op& binary_accuracy();

/// c = a + b, of two alike; may be written onto a (gradients that are added up).
const Op& add();
/// W' = W - lr · g; attribute 0 is lr.
const Op& sgd();
/// v' = mu · v + g, W' = W - lr · v'; attributes lr, mu. PyTorch's convention (no dampening).
const Op& momentum();
/// The rows named by an index, bytes as numbers times attribute 0. x (N, …), index (B) int32 -> (B, …);
/// attribute 1 gives the output's dtype.
const Op& gather();

} // namespace ops

} // namespace gradus
