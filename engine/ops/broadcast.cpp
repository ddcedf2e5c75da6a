#include "engine/ops/broadcast.hpp"

#include "engine/ops/layout.hpp"
#include "engine/ops/reduce.hpp"

#include <algorithm>

namespace gradus::op_parts {

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
    const int rank = std::max(a.rank(), b.rank());
    Shape out;
    for (int axis = 0; axis < rank; ++axis) {
        const int in_a = axis - (rank - a.rank()), in_b = axis - (rank - b.rank());
        const Axis of_a = in_a >= 0 ? Axis{a[in_a], a.name(in_a)} : Axis{1, {}};
        const Axis of_b = in_b >= 0 ? Axis{b[in_b], b.name(in_b)} : Axis{1, {}};
        if (of_a.size != of_b.size && of_a.size != 1 && of_b.size != 1) return std::nullopt;
        Axis axis_of = of_a.size != 1 || of_b.size == 1 ? of_a : of_b;
        if (axis_of.name.view().empty() && of_a.size == of_b.size) axis_of.name = of_b.name;
        out.append(axis_of);
    }
    return out;
}

void contribute_summed(Tape& tape, ValueIndex value, const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                       ValueIndex upstream, Attributes attributes) {
    const Shape shape = tape.value(value).shape;
    if (shape.same_sizes(tape.value(upstream).shape)) return tape.contribute(value, op, forward, std::move(inputs), attributes);
    const std::string name = "d" + tape.value(value).name + " stretched";
    const ValueIndex whole = tape.on_the_way_back(op, forward, std::move(inputs), {name}, attributes)[0];
    tape.contribute(value, ops::sum_to(), forward, {whole}, reshape_to(shape));
}

void share_summed(Tape& tape, ValueIndex value, NodeIndex forward, ValueIndex upstream) {
    const Shape shape = tape.value(value).shape;
    if (shape.same_sizes(tape.value(upstream).shape)) tape.share_gradient(value, forward, upstream);
    else tape.contribute(value, ops::sum_to(), forward, {upstream}, reshape_to(shape));
}

} // namespace gradus::op_parts
