#pragma once

#include "engine/trace/run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// One step of a chain y = …((x · W1) + b)…: what it does to its input, and with what.
struct ChainStep {
    enum class Kind : std::uint8_t {
        matrix,    ///< a product with a parameter
        shuffle,   ///< a product with a fixed matrix
        bias,      ///< a vector is added to every row
        scale,     ///< every row is multiplied by the same numbers
        nonlinear, ///< relu, tanh, …
        other      ///< what nothing is known of: it never folds
    };
    Kind kind = Kind::other;
    std::string op;      ///< "relu"
    std::string operand; ///< "W1", "b"; empty where there is none
    std::string input, output; ///< names of the tensors before and after it
    Shape shape;         ///< of the operand
    std::int32_t ordinal = -1;
    bool operator==(const ChainStep&) const = default;
    bool is_linear() const { return kind != Kind::nonlinear && kind != Kind::other; }
};

/// The chain that begins with the first product with a parameter in the forward pass: each step reads what the last one
/// wrote, and else only what no event of the iteration makes. Empty where there is no such product.
std::vector<ChainStep> chain_of(const Run& run);

/// What a step that is not linear did to the inputs of an iteration.
struct FoldBarrier {
    std::size_t step = 0; ///< place in the chain
    Dim elements = 0;     ///< numbers that went in
    Dim changed = 0;      ///< and those that came out as others; with 0 it blocks no fold on these inputs
};

/// Steps [first, last] of a chain that fold into one matrix, and a bias where one stands among them.
struct FoldGroup {
    std::size_t first = 0, last = 0;
    std::size_t matrices = 0; ///< products with a parameter among them
    bool bias = false;
    Dim rows = 0, columns = 0;
};

/// Which steps of a chain may be folded on the inputs of one iteration: (x · A) · B = x · (A · B), and a bias and a scaling
/// go into the matrix and the bias behind it. A step that is not linear parts the chain if it changed a number.
struct LegalFolds {
    std::vector<FoldGroup> groups;     ///< in the order of the chain; those without a parameter's matrix are left out
    std::vector<FoldBarrier> barriers; ///< each step that is not linear
    std::size_t matrices_left() const { return groups.size(); }
    std::size_t matrices() const;      ///< before any fold
};

/// From the tensors of the iteration, which `run` holds in full. None where what went into a step that is not linear, or
/// came out of it, is not kept.
std::optional<LegalFolds> legal_folds(const std::vector<ChainStep>& chain, const Run& run, StepIndex iteration);

} // namespace gradus
