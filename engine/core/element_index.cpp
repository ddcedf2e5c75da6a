#include "engine/core/element_index.hpp"

#include "engine/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradus {

std::vector<Dim> index_of(const Shape& shape, Dim place) {
    std::vector<Dim> index(static_cast<std::size_t>(shape.rank()));
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        index[static_cast<std::size_t>(axis)] = place % shape[axis];
        place /= shape[axis];
    }
    return index;
}

std::optional<Dim> place_of(const Shape& shape, std::span<const Dim> index) {
    if (static_cast<int>(index.size()) != shape.rank()) return std::nullopt;
    Dim place = 0;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const Dim at = index[static_cast<std::size_t>(axis)];
        if (at < 0 || at >= shape[axis]) return std::nullopt;
        place = place * shape[axis] + at;
    }
    return place;
}

Dim place_of(const Shape& shape, std::span<const Dim> index, std::string_view tensor) {
    if (const auto place = place_of(shape, index)) return *place;
    if (static_cast<int>(index.size()) != shape.rank())
        throw ArgumentError(fmt::format("{}[{}] does not fit its shape {}: one number per axis", tensor, fmt::join(index, ", "), shape.text()));
    throw ArgumentError(fmt::format("{}[{}] is outside its shape {}", tensor, fmt::join(index, ", "), shape.text()));
}

} // namespace gradus
