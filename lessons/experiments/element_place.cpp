#include "lessons/experiments/element_place.hpp"

#include "engine/core/error.hpp"

#include <fmt/format.h>

namespace gradus {

Dim element_place(const std::string& name, const Shape& shape, const std::vector<Dim>& index) {
    bool inside = static_cast<int>(index.size()) == shape.rank();
    Dim place = 0;
    for (int axis = 0; inside && axis < shape.rank(); ++axis) {
        const Dim at = index[static_cast<std::size_t>(axis)];
        inside = at >= 0 && at < shape[axis];
        place = place * shape[axis] + at;
    }
    if (inside) return place;
    std::string written;
    for (const Dim at : index) written += (written.empty() ? "" : ", ") + std::to_string(at);
    throw ArgumentError(fmt::format("{}[{}] is outside its shape {}", name, written, shape.text()));
}

} // namespace gradus
