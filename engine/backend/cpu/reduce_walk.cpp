#include "engine/backend/cpu/reduce_walk.hpp"

namespace gradus::cpu {

void AxisList::append(std::int64_t size, std::int64_t stride) {
    if (size == 1) return;
    const auto before = static_cast<std::size_t>(rank > 0 ? rank - 1 : 0);
    if (rank > 0 && strides[before] == stride * size) {
        sizes[before] *= size;
        strides[before] = stride;
        return;
    }
    sizes[static_cast<std::size_t>(rank)] = size;
    strides[static_cast<std::size_t>(rank)] = stride;
    ++rank;
}

std::int64_t AxisList::elements() const {
    std::int64_t product = 1;
    for (int i = 0; i < rank; ++i) product *= sizes[static_cast<std::size_t>(i)];
    return product;
}

std::int64_t AxisList::offset(std::int64_t index) const {
    std::int64_t out = 0;
    for (std::size_t axis = static_cast<std::size_t>(rank); axis-- > 0; index /= sizes[axis])
        out += index % sizes[axis] * strides[axis];
    return out;
}

AxisList AxisList::without_last() const {
    AxisList out = *this;
    if (out.rank > 0) --out.rank;
    return out;
}

ReducedAxes reduced_axes(const GradusArray& x, const double* attributes) {
    const int count = static_cast<int>(attributes[0]);
    std::array<bool, GRADUS_MAX_RANK> chosen{};
    for (int i = 0; i < count; ++i) chosen[static_cast<std::size_t>(attributes[2 + i])] = true;
    ReducedAxes axes;
    for (int axis = 0; axis < x.rank; ++axis)
        (count == 0 || chosen[static_cast<std::size_t>(axis)] ? axes.reduced : axes.kept).append(x.sizes[axis], x.strides[axis]);
    return axes;
}

ReducedAxes reduced_to(const GradusArray& x, const double* attributes) {
    const int missing = x.rank - static_cast<int>(attributes[0]);
    ReducedAxes axes;
    for (int axis = 0; axis < x.rank; ++axis)
        (axis < missing || attributes[1 + axis - missing] == 1 ? axes.reduced : axes.kept).append(x.sizes[axis], x.strides[axis]);
    return axes;
}

ReducePlan plan_of(const ReducedAxes& axes) {
    ReducePlan plan;
    const auto& [kept, reduced] = axes;
    const auto last = [](const AxisList& list) { return static_cast<std::size_t>(list.rank - 1); };
    plan.columns = kept.rank > 0 && kept.strides[last(kept)] == 1 && (reduced.rank == 0 || reduced.strides[last(reduced)] != 1);
    plan.kept = plan.columns ? kept.without_last() : kept;
    plan.width = plan.columns ? kept.sizes[last(kept)] : 1;
    plan.blocks = (plan.width + reduce_columns - 1) / reduce_columns;
    plan.outer = reduced.without_last();
    plan.count = reduced.rank > 0 ? reduced.sizes[last(reduced)] : 1;
    plan.stride = reduced.rank > 0 ? reduced.strides[last(reduced)] : 1;
    const std::int64_t columns = std::max<std::int64_t>(1, plan.blocks > 0 ? plan.width / plan.blocks : 0);
    plan.chunk = std::max<std::int64_t>(1, std::min(plan.count, piece_elements / columns));
    plan.chunks = (plan.count + plan.chunk - 1) / plan.chunk;
    plan.units = plan.outer.elements() * plan.chunks;
    plan.units_each = std::max<std::int64_t>(1, piece_elements / (plan.chunk * columns));
    plan.tasks = plan.kept.elements() * plan.blocks;
    plan.parts = std::max<std::int64_t>(1, (plan.units + plan.units_each - 1) / plan.units_each);
    plan.part_elements = plan.chunk * columns * std::min(plan.units, plan.units_each);
    return plan;
}

} // namespace gradus::cpu
