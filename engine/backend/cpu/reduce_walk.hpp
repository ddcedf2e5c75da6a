#pragma once

#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/backend/cpu/reduce_loops.hpp"

#include <array>
#include <vector>

namespace gradus::cpu {

/// Some axes of an array, outermost first; axes of one element left out, neighbours that lie as one joined.
struct AxisList {
    int rank = 0;
    std::array<std::int64_t, GRADUS_MAX_RANK> sizes{}, strides{};

    void append(std::int64_t size, std::int64_t stride);
    std::int64_t elements() const;
    /// Where element `index` of them, in row-major order, lies.
    std::int64_t offset(std::int64_t index) const;
    AxisList without_last() const;
};

/// Which axes of an input are reduced and which the result keeps, in the input's order.
struct ReducedAxes {
    AxisList kept, reduced;
};
/// By a reduction's attributes: [0] number of axes, 0 for all; [2..7] the axes.
ReducedAxes reduced_axes(const GradusArray& x, const double* attributes);
/// By a smaller shape that is stretched to the input's: attributes [0] rank, [1..6] sizes.
ReducedAxes reduced_to(const GradusArray& x, const double* attributes);

/// How a reduction is cut: into tasks, one or up to `reduce_columns` neighbouring results each, and those with many elements into
/// parts, whose results are joined in order. The cut depends on the shape alone.
struct ReducePlan {
    bool columns = false; ///< a task's results lie side by side; else a task is one result
    AxisList kept;        ///< without the axis that results lie side by side along
    AxisList outer;       ///< reduced axes without the innermost
    std::int64_t width = 1, blocks = 1;      ///< results along that axis, and into how many tasks they are cut
    std::int64_t count = 1, stride = 1;      ///< elements along the innermost reduced axis, and from one to the next
    std::int64_t chunk = 1, chunks = 1;      ///< elements of a unit, and units along that axis
    std::int64_t units = 1, units_each = 1;  ///< units of a task, and of a part
    std::int64_t tasks = 1, parts = 1;       ///< tasks in all, parts of a task
    std::int64_t part_elements = 1;
};
ReducePlan plan_of(const ReducedAxes& axes);

/// Walks over a reduction. S is what a result is while it grows, beginning as `start`:
/// unit(state, offset, rows, row, columns, result) lets rows × columns elements of the input, the first at `offset`, rows `row`
/// apart, join the states of results [result, result + columns); join(state, other) lets a part join the parts before it;
/// finish(result, state) takes what has come out.
template <class S, class Unit, class Join, class Finish>
void reduce(const GradusCall* call, const ReducePlan& plan, S start, Unit&& unit, Join&& join, Finish&& finish) {
    const std::int64_t most = std::min(reduce_columns, plan.width);
    std::vector<S> partial(static_cast<std::size_t>(plan.parts > 1 ? plan.tasks * plan.parts * most : 0));
    const auto first_column = [&](std::int64_t task) { return plan.width * (task % plan.blocks) / plan.blocks; };
    const auto columns_of = [&](std::int64_t task) {
        return plan.width * (task % plan.blocks + 1) / plan.blocks - first_column(task);
    };
    const auto result_of = [&](std::int64_t task) { return task / plan.blocks * plan.width + first_column(task); };
    over_pieces(call, plan.tasks * plan.parts, plan.part_elements, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t piece = from; piece < until; ++piece) {
            const std::int64_t task = piece / plan.parts, part = piece % plan.parts, columns = columns_of(task);
            const std::int64_t base = plan.kept.offset(task / plan.blocks) + first_column(task);
            S local[reduce_columns];
            S* const state = plan.parts > 1 ? partial.data() + piece * most : local;
            for (std::int64_t j = 0; j < columns; ++j) state[j] = start;
            const std::int64_t last = std::min(plan.units, (part + 1) * plan.units_each);
            for (std::int64_t u = part * plan.units_each; u < last; ++u) {
                const std::int64_t at = u % plan.chunks * plan.chunk;
                unit(state, base + plan.outer.offset(u / plan.chunks) + at * plan.stride, std::min(plan.chunk, plan.count - at),
                     plan.stride, columns, result_of(task));
            }
            if (plan.parts == 1)
                for (std::int64_t j = 0; j < columns; ++j) finish(result_of(task) + j, state[j]);
        }
    });
    if (plan.parts == 1) return;
    for (std::int64_t task = 0; task < plan.tasks; ++task)
        for (std::int64_t j = 0; j < columns_of(task); ++j) {
            S state = partial[static_cast<std::size_t>(task * plan.parts * most + j)];
            for (std::int64_t part = 1; part < plan.parts; ++part)
                join(state, partial[static_cast<std::size_t>((task * plan.parts + part) * most + j)]);
            finish(result_of(task) + j, state);
        }
}

} // namespace gradus::cpu
