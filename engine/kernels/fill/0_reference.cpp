#include "engine/kernels/fill/ladder.hpp"

namespace gradus::fill {

/// y[i] = value. -> y (n).
void reference(const Problem&, KernelValues& values) {
    for (double& y : values.at("y")) y = value;
}

} // namespace gradus::fill
