#pragma once

#include "engine/autograd/tape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Einstein's sum over one or two operands: each axis has a letter, and what is not in the result is summed over. So "ij,jk->ik"
/// is a matrix product, "bhtd,bhsd->bhts" the scores of attention, "i,j->ij" an outer product, "ij->j" a sum and "ij->ji" a
/// transposition. Without "->" the result has the letters that appear once, in the order of the alphabet. Spaces do not count.
///
/// Appends the forward nodes that compute it: permute and reshape, sum, and one batched_matmul (matmul where there is no batch)
/// or multiply; the last is called `name`, the others after their letters. Gradients are those of the nodes. Throws ArgumentError
/// for an equation it does not take: other signs than letters, a letter twice in one operand (a diagonal), three operands and
/// more; ShapeError where an operand's axes do not fit its letters. Source: numpy.einsum, torch.einsum.
///
///     const ValueIndex scores = einsum(tape, "head", "bhtd,bhsd->bhts", {q, k}, "scores");
ValueIndex einsum(Tape& tape, const std::string& module, std::string_view equation, const std::vector<ValueIndex>& operands,
                  const std::string& name);

} // namespace gradus
