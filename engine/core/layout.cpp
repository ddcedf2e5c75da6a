#include "engine/core/layout.hpp"

#include <algorithm>
#include <vector>

namespace gradus {

Layout contiguous_layout(const Shape& shape) {
    Layout layout{shape, {}, 0};
    Dim stride = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        layout.strides[static_cast<std::size_t>(axis)] = stride;
        stride *= shape[axis];
    }
    return layout;
}

bool is_contiguous(const Layout& layout) {
    Dim expected = 1;
    for (int axis = layout.shape.rank() - 1; axis >= 0; --axis) {
        if (layout.shape[axis] != 1 && layout.strides[static_cast<std::size_t>(axis)] != expected) return false;
        expected *= layout.shape[axis];
    }
    return true;
}

Dim extent_of(const Layout& layout) {
    if (layout.shape.elements() == 0) return 0;
    Dim last = layout.offset;
    for (int axis = 0; axis < layout.shape.rank(); ++axis)
        last += (layout.shape[axis] - 1) * layout.strides[static_cast<std::size_t>(axis)];
    return last + 1;
}

bool may_overlap(const Layout& layout) {
    if (layout.shape.elements() == 0) return false;
    std::vector<std::pair<Dim, Dim>> axes; // stride, size
    for (int axis = 0; axis < layout.shape.rank(); ++axis)
        if (layout.shape[axis] > 1) axes.emplace_back(layout.strides[static_cast<std::size_t>(axis)], layout.shape[axis]);
    std::sort(axes.begin(), axes.end());
    Dim farthest = 0; // of what the axes with smaller strides reach
    for (const auto& [stride, size] : axes) {
        if (stride <= farthest) return true;
        farthest += (size - 1) * stride;
    }
    return false;
}

namespace {

/// Neighbouring axes of two shapes that hold the same elements: [first, last) of each.
struct Group {
    int from_first, from_last, to_first, to_last;
};

/// The finest groups into which two shapes of equally many elements fall; axes of size 1 stand anywhere.
std::vector<Group> groups_of(const Shape& from, const Shape& to) {
    std::vector<Group> groups;
    int a = 0, b = 0;
    while (a < from.rank() || b < to.rank()) {
        Group group{a, a, b, b};
        if (a < from.rank() && from[a] == 1 && !(b < to.rank() && to[b] == 1)) {
            group.from_last = ++a;
        } else if (b < to.rank() && to[b] == 1 && !(a < from.rank() && from[a] == 1)) {
            group.to_last = ++b;
        } else {
            Dim left = from[a++], right = to[b++];
            while (left != right) {
                if (left < right) left *= from[a++];
                else right *= to[b++];
            }
            group.from_last = a;
            group.to_last = b;
        }
        groups.push_back(group);
    }
    return groups;
}

} // namespace

Shape with_names_of(const Shape& from, const Shape& shape) {
    if (from.elements() != shape.elements() || shape.elements() == 0) return from.same_sizes(shape) ? from : shape;
    std::vector<AxisName> names(static_cast<std::size_t>(shape.rank()));
    for (const Group& group : groups_of(from, shape))
        if (group.from_last == group.from_first + 1 && group.to_last == group.to_first + 1)
            names[static_cast<std::size_t>(group.to_first)] = from.name(group.from_first);
    Shape out;
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const bool own = !shape.name(axis).view().empty();
        out.append({shape[axis], own ? shape.name(axis) : names[static_cast<std::size_t>(axis)]});
    }
    return out;
}

std::optional<Layout> reshaped(const Layout& layout, const Shape& shape) {
    const Shape named = with_names_of(layout.shape, shape);
    Layout out = contiguous_layout(named);
    out.offset = layout.offset;
    if (is_contiguous(layout) || shape.elements() == 0) return out;
    for (const Group& group : groups_of(layout.shape, shape)) {
        // The axes of a group must lie as one: each stride the next one's times its size.
        Dim stride = 1, after = -1;
        for (int axis = group.from_last - 1; axis >= group.from_first; --axis) {
            const Dim size = layout.shape[axis], own = layout.strides[static_cast<std::size_t>(axis)];
            if (size == 1) continue;
            if (after < 0) stride = own;
            else if (own != after) return std::nullopt;
            after = own * size;
        }
        for (int axis = group.to_last - 1; axis >= group.to_first; --axis) {
            out.strides[static_cast<std::size_t>(axis)] = stride;
            stride *= shape[axis];
        }
    }
    return out;
}

} // namespace gradus
