#pragma once

#include "engine/core/dtype.hpp"
#include "engine/trace/derive/element_origin.hpp"
#include "views/theme/numbers.hpp"

#include <QString>
#include <span>
#include <vector>

namespace gradus {

/// "[138, 6]"; -1 is written as `letter`.
QString index_text(std::span<const Dim> index, QChar letter = QChar('n'));
/// The shortest digits that read back as the same number of that type: all that identify it. Not finite: as three_digits.
QString all_digits(double value, DType dtype);
/// "Σₙ a₁[n, 138] · ∂z₂[n, 6]", or, for a plain sum, "Σₙ ∂z₂[n, 6]".
QString sum_text(const ElementSum& sum);
/// "n = 17: 0.71 · -0.031 = -0.022".
QString term_text(const ElementSum& sum, const ElementTerm& term);
/// "0.71 · (−0.031)", or "(−0.031)" of a plain sum: as it stands among others.
QString product_text(const ElementSum& sum, const ElementTerm& term);
/// "dW1" -> "∂W₁" by its role.
QString name_of_tensor(const std::string& name);

} // namespace gradus
