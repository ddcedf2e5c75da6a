#pragma once

#include "engine/core/tensor.hpp"

#include <cstddef>
#include <vector>

namespace gradus {

/// How many numbers of a tensor are of which size: two bins per decade of |v|.
struct LogHistogram {
    static constexpr int bins_per_decade = 2;
    int first = 0;                  ///< bin i holds 10^((first + i) / 2) <= |v| < 10^((first + i + 1) / 2)
    std::vector<Dim> counts;        ///< empty where there is no finite number but 0
    std::vector<Dim> example;       ///< per bin, row-major position of its first number; -1 where it is empty
    Dim elements = 0, zeros = 0, not_finite = 0;
    Dim largest = -1;               ///< position of the largest |v|; -1 where all are 0 or not finite
    double zero_share() const { return elements > 0 ? static_cast<double>(zeros) / static_cast<double>(elements) : 0; }
};

/// Throws ShapeError for a tensor without contents.
LogHistogram log_histogram(const Tensor& tensor);

} // namespace gradus
