#include "engine/core/shape.hpp"

#include "engine/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gradus {

Shape::Shape(std::initializer_list<Axis> axes) {
    for (const Axis& axis : axes) append(axis);
}

void Shape::append(Axis axis) {
    if (rank_ == max_rank) throw ShapeError(fmt::format("a tensor has at most {} axes", max_rank));
    if (axis.size < 0)
        throw ShapeError(fmt::format("axis {} '{}' has the negative size {}", rank_, axis.name.view(), axis.size));
    constexpr Dim limit = Dim{1} << 59;
    Dim widest = 1; // an empty axis counts as 1, since strides are products of the others
    for (int i = 0; i < rank_; ++i) widest *= std::max<Dim>(1, (*this)[i]);
    if (axis.size > 0 && widest > limit / axis.size)
        throw ShapeError(fmt::format("the shape {}{}{} has more than 2^59 elements", rank_ > 0 ? text() : "",
                                     rank_ > 0 ? "×" : "", axis.size));
    axes_[static_cast<std::size_t>(rank_++)] = axis;
}

Dim Shape::elements() const {
    Dim product = 1;
    for (int i = 0; i < rank_; ++i) product *= axes_[static_cast<std::size_t>(i)].size;
    return product;
}

bool Shape::same_sizes(const Shape& other) const {
    if (rank_ != other.rank_) return false;
    for (int i = 0; i < rank_; ++i)
        if ((*this)[i] != other[i]) return false;
    return true;
}

std::string Shape::text() const {
    if (rank_ == 0) return "scalar";
    std::string out;
    for (int i = 0; i < rank_; ++i) {
        if (i > 0) out += "×";
        out += std::to_string((*this)[i]);
    }
    return out;
}

std::string Shape::text_with_names() const {
    std::string out = "(";
    for (int i = 0; i < rank_; ++i) {
        if (i > 0) out += ", ";
        if (!name(i).view().empty()) {
            out += name(i).view();
            out += ' ';
        }
        out += std::to_string((*this)[i]);
    }
    return out + ")";
}

} // namespace gradus
