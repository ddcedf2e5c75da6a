#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gradus {

using Dim = std::int64_t;

/// The name of an axis ("B", "in", "out"), at most 7 bytes, stored in place so that a Shape is a plain value.
class AxisName {
public:
    constexpr AxisName() = default;
    constexpr AxisName(const char* text) : AxisName(std::string_view(text)) {}
    constexpr AxisName(std::string_view text) {
        for (std::size_t i = 0; i < text.size() && i + 1 < letters_.size(); ++i) letters_[i] = text[i];
    }
    constexpr std::string_view view() const { return letters_.data(); }
    constexpr bool operator==(const AxisName&) const = default;

private:
    std::array<char, 8> letters_{};
};

struct Axis {
    Dim size = 0;
    AxisName name;
    constexpr bool operator==(const Axis&) const = default;
};

/// Sizes and names of a tensor's axes, outermost first. (3) and (3, 1) are different shapes; () is a scalar.
/// Throws ShapeError for more than 6 axes, a negative size, or more than 2^59 elements: 2^62 bytes of the widest
/// type, so that neither bytes nor strides overflow.
class Shape {
public:
    static constexpr int max_rank = 6;

    Shape() = default;
    Shape(std::initializer_list<Axis> axes);

    int rank() const { return rank_; }
    Dim operator[](int axis) const { return axes_[static_cast<std::size_t>(axis)].size; }
    AxisName name(int axis) const { return axes_[static_cast<std::size_t>(axis)].name; }
    Dim elements() const;
    void append(Axis axis);

    /// Sizes are equal; names may differ.
    bool same_sizes(const Shape& other) const;
    bool operator==(const Shape&) const = default;

    /// "64×256".
    std::string text() const;
    /// "(B 64, out 256)".
    std::string text_with_names() const;

private:
    std::array<Axis, max_rank> axes_{};
    int rank_ = 0;
};

} // namespace gradus
