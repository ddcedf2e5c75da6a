#pragma once

#include "engine/trace/run.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// The site of the event that wrote a tensor, looked for in the Run and then in its ancestors; null for state that an
/// edit set and for what no site names.
const EventSite* site_of(const Run& run, TensorId id);

/// One summand of an element: left · right, or left alone where a plain sum made it.
struct ElementTerm {
    Dim at = 0; ///< position along the axis that is summed over
    double left = 0, right = 1;
    double product() const { return left * right; }
};

/// An element written as the sum that made it: Σ_n left[…, n, …] · right[…, n, …].
struct ElementSum {
    std::string left, right;                  ///< names; right is empty for a plain sum
    std::vector<Dim> left_index, right_index; ///< -1 where the summed position stands
    std::string axis;                         ///< name of the axis summed over, empty where unknown
    Dim terms = 0;                            ///< 0 where the operands are not kept
    std::vector<ElementTerm> largest;         ///< by |product|, greatest first; in double precision
};

/// How a matrix product or a sum over rows made one element of its output in an iteration. Operands are taken from the
/// iteration's tensors, constants from the setup's; without them names and indices are all there is. None for other ops,
/// and for an index that is not the output's.
std::optional<ElementSum> sum_behind(const Run& run, const EventSite& site, StepIndex iteration,
                                     std::span<const Dim> index, std::size_t keep = 3);
/// As above, from operands at hand: one for each input of the site, undefined where it is not kept.
std::optional<ElementSum> sum_behind(const EventSite& site, std::span<const Tensor> operands, std::span<const Dim> index,
                                     std::size_t keep = 3);

/// An element of an input, read for an element of the output.
struct ElementOperand {
    std::string name;
    std::vector<Dim> index;
    std::optional<double> value; ///< none where it is not kept
};

/// What an element-wise op read for one element of its output, in the order of its inputs: the same index of each, a
/// bias's column. The class that a softmax's gradient reads is told as 1 at the right class and 0 elsewhere. Empty for an
/// op that reads more than one element of an input, and for an index that is not the output's.
std::vector<ElementOperand> operands_behind(const Run& run, const EventSite& site, StepIndex iteration,
                                            std::span<const Dim> index);

/// What an activation's backward op multiplies by at one element: the derivative of the activation there. `read`: the
/// first operand of the op, as operands_behind() tells it: the activation's output y, of gelu and silu its input x.
///     relu 1 where y > 0, else 0;  tanh 1 − y²;  sigmoid y (1 − y);  gelu Φ(x) + x φ(x);  silu σ(x) (1 + x (1 − σ(x)));  step 0
/// None for other ops.
std::optional<double> local_derivative(std::string_view backward_op, double read);

} // namespace gradus
