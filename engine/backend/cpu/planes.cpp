#include "engine/backend/cpu/planes.hpp"

namespace gradus::cpu {

namespace {

constexpr int most_operands = 3;

/// The axes of an element-wise op, innermost last: those of one element left out, and two that every operand goes through as if
/// they were one joined.
struct Axes {
    int rank = 0, operands = 0;
    std::array<std::int64_t, GRADUS_MAX_RANK> sizes{};
    std::array<std::array<std::int64_t, GRADUS_MAX_RANK>, most_operands> strides{};
};

Axes joined(const GradusArray& out, std::span<const Stretched> operands) {
    Axes axes;
    axes.operands = static_cast<int>(operands.size());
    for (int axis = 0; axis < out.rank; ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        if (out.sizes[axis] == 1) continue;
        bool one = axes.rank > 0;
        const auto before = static_cast<std::size_t>(axes.rank > 0 ? axes.rank - 1 : 0);
        for (std::size_t i = 0; i < operands.size(); ++i)
            one &= axes.strides[i][before] == operands[i].strides[at] * out.sizes[axis];
        const std::size_t place = one ? before : static_cast<std::size_t>(axes.rank++);
        axes.sizes[place] = one ? axes.sizes[place] * out.sizes[axis] : out.sizes[axis];
        for (std::size_t i = 0; i < operands.size(); ++i) axes.strides[i][place] = operands[i].strides[at];
    }
    for (int missing = axes.rank; missing < 2; ++missing) { // rows and columns at least
        for (std::size_t place = static_cast<std::size_t>(axes.rank); place > 0; --place) {
            axes.sizes[place] = axes.sizes[place - 1];
            for (auto& strides : axes.strides) strides[place] = strides[place - 1];
        }
        axes.sizes[0] = 1;
        for (auto& strides : axes.strides) strides[0] = axes.rank == 0 ? 1 : 0;
        ++axes.rank;
    }
    return axes;
}

/// Whether every input has the output's sizes and lies like it, row by row.
bool lie_alike(const GradusCall* call) {
    const GradusArray& out = call->outputs[0];
    for (int i = 0; i < call->input_count; ++i) {
        const GradusArray& in = call->inputs[i];
        bool alike = in.rank == out.rank;
        for (int axis = 0; alike && axis < out.rank; ++axis)
            alike = in.sizes[axis] == out.sizes[axis] && (out.sizes[axis] == 1 || in.strides[axis] == out.strides[axis]);
        if (!alike) return false;
    }
    return true;
}

} // namespace

Stretched stretched(const GradusArray& array, const GradusArray& out) {
    Stretched operand;
    operand.data = array.data;
    operand.element_bytes = static_cast<std::int64_t>(size_of(static_cast<DType>(array.dtype)));
    const int missing = out.rank - array.rank;
    for (int axis = 0; axis < array.rank; ++axis)
        operand.strides[static_cast<std::size_t>(missing + axis)] = array.sizes[axis] == 1 ? 0 : array.strides[axis];
    return operand;
}

void over_planes(const GradusCall* call, const GradusArray& out, std::span<const Stretched> operands,
                 void (*loop)(const Plane&), double number, double number2) {
    const std::int64_t count = elements(out);
    if (count == 0) return;
    const Axes axes = joined(out, operands);
    const auto last = static_cast<std::size_t>(axes.rank - 1);
    const std::int64_t columns = axes.sizes[last], rows = axes.sizes[last - 1], lines = count / columns;
    const std::int64_t out_bytes = static_cast<std::int64_t>(size_of(static_cast<DType>(out.dtype)));
    // Runs columns [from, until) of lines [line, line + many), which lie in one plane.
    const auto run = [&](std::int64_t line, std::int64_t many, std::int64_t from, std::int64_t until) {
        Plane plane;
        plane.number[0] = number;
        plane.number[1] = number2;
        plane.rows = many;
        plane.columns = until - from;
        plane.out = static_cast<std::byte*>(out.data) + (line * columns + from) * out_bytes;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            std::int64_t offset = from * axes.strides[i][last], rest = line;
            for (std::size_t axis = last; axis-- > 0; rest /= axes.sizes[axis])
                offset += rest % axes.sizes[axis] * axes.strides[i][axis];
            plane.in[i].data = static_cast<const std::byte*>(operands[i].data) + offset * operands[i].element_bytes;
            plane.in[i].row = axes.strides[i][last - 1];
            plane.in[i].column = axes.strides[i][last];
        }
        loop(plane);
    };
    if (lines == 1 && (call->context->pool.threads() == 1 || count < 2 * piece_elements)) return run(0, 1, 0, columns);
    const std::int64_t cuts = (columns + piece_elements - 1) / piece_elements; // of one line
    over_pieces(call, lines * cuts, columns / cuts, [&](std::int64_t unit, std::int64_t until) {
        while (unit < until) {
            const std::int64_t line = unit / cuts, cut = unit % cuts;
            if (cuts > 1) {
                run(line, 1, columns * cut / cuts, columns * (cut + 1) / cuts);
                ++unit;
            } else {
                const std::int64_t many = std::min(until - unit, rows - line % rows);
                run(line, many, 0, columns);
                unit += many;
            }
        }
    });
}

void over_planes(const GradusCall* call, void (*loop)(const Plane&)) {
    const GradusArray& out = call->outputs[0];
    if (const std::int64_t columns = elements(out);
        columns < 2 * piece_elements && lie_alike(call)) { // the common case, with little ado
        Plane plane;
        for (int i = 0; i < call->input_count; ++i) plane.in[i] = {call->inputs[i].data, 0, 1};
        plane.out = out.data;
        plane.rows = 1;
        plane.columns = columns;
        plane.number[0] = call->attributes[0];
        plane.number[1] = call->attributes[1];
        return loop(plane);
    }
    std::array<Stretched, most_operands> operands;
    const auto count = static_cast<std::size_t>(call->input_count);
    for (std::size_t i = 0; i < count; ++i) operands[i] = stretched(call->inputs[i], out);
    over_planes(call, out, {operands.data(), count}, loop, call->attributes[0], call->attributes[1]);
}

} // namespace gradus::cpu
