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
namespace ops {

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

/// W' = W - lr · g; attribute 0 is lr.
const Op& sgd();
/// v' = mu · v + g, W' = W - lr · v'; attributes lr, mu. PyTorch's convention (no dampening).
const Op& momentum();
/// The rows named by an index, bytes as numbers times attribute 0. x (N, …), index (B) int32 -> (B, …);
/// attribute 1 gives the output's dtype.
const Op& gather();

} // namespace ops

} // namespace gradus
