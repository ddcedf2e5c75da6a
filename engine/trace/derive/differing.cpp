#include "engine/trace/derive/differing.hpp"

#include <cstring>

namespace gradus {

std::optional<Dim> differing_elements(const Tensor& a, const Tensor& b) {
    if (!a.defined() || !b.defined() || a.dtype() != b.dtype() || !a.shape().same_sizes(b.shape())) return std::nullopt;
    const bool in_a_row = a.contiguous() && b.contiguous();
    if (in_a_row && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0) return 0;
    Dim differing = 0;
    const std::size_t size = size_of(a.dtype());
    if (in_a_row) {
        for (std::size_t i = 0; i < a.bytes(); i += size) differing += std::memcmp(a.raw() + i, b.raw() + i, size) != 0;
        return differing;
    }
    for (Dim i = 0; i < a.elements(); ++i) {
        const double x = a.at(i), y = b.at(i);
        differing += std::memcmp(&x, &y, sizeof x) != 0;
    }
    return differing;
}

} // namespace gradus
