#pragma once

#include "engine/core/dtype.hpp"

#include <span>
#include <string_view>

namespace gradus {

/// In which type an op is computed under autocast.
enum class AutocastRule : std::uint8_t {
    low,    ///< floating inputs are made fp16 or bf16: products, whose time they halve and whose sums are made in fp32
    fp32,   ///< 16-bit inputs are made fp32: sums over many elements, exponentials, losses
    widest, ///< all floating inputs get the widest type among them: two or more operands of one type
    keep,   ///< as they come: the op works in the type of its first input, and its other inputs may have their own
};
std::string_view name_of(AutocastRule rule);

struct AutocastEntry {
    std::string_view op;
    AutocastRule rule;
};

/// The rule of every op, one row each. fp64 inputs are never touched, nor are indices and masks.
/// Source: PyTorch 2.15, "Automatic Mixed Precision package, CUDA op-specific behavior" (aten/src/ATen/autocast_mode.h). Ops that
/// PyTorch does not list it computes in the type that comes, promoted where two differ: here `keep` and `widest`.
std::span<const AutocastEntry> autocast_table();
/// `keep` for an op that the table lacks.
AutocastRule autocast_rule(std::string_view op);

/// The type that a rule asks of an input, given the low type and the widest floating type among the op's inputs.
DType type_under(AutocastRule rule, DType input, DType low, DType widest);
/// The wider of two floating types; fp16 and bf16 together are fp32.
DType wider(DType a, DType b);

} // namespace gradus
