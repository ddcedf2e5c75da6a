#pragma once

#include "views/tensor/tensor_model.hpp"

#include <QString>

namespace gradus {

/// How an element-wise op made one element.
struct ElementFormula {
    QString letters; ///< "max(0, z₁[3, 2])"; empty for ops that read more than one element of an input
    QString numbers; ///< "max(0, −0.123)"; empty where an operand is not kept
    QString local;   ///< of an activation's backward op, the local derivative: "0.91"; empty for others
};

ElementFormula formula_of(const TensorModel& model, const std::vector<Dim>& index);

} // namespace gradus
