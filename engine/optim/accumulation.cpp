#include "engine/optim/accumulation.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

GradientAccumulation::GradientAccumulation(Tape& tape, const std::vector<ValueIndex>& gradients, int micro_batches) {
    if (micro_batches < 1) throw ArgumentError(fmt::format("a batch has at least one micro-batch, not {}", micro_batches));
    for (const ValueIndex gradient : gradients) {
        const Value value = tape.value(gradient);
        const std::size_t bytes = static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype);
        StorageRef storage = tape.pool().allocate(bytes);
        std::memset(storage.data(), 0, bytes);
        const ValueIndex sum =
            tape.input("sum_" + value.name, Tensor(std::move(storage), value.shape, value.dtype), Role::gradient);
        const std::string module = value.producer < 0 ? "accumulation" : tape.node(value.producer).module;
        sums_.push_back(sum);
        nodes_.push_back(
            tape.apply_onto(ops::accumulate(), Phase::backward, module, {sum, gradient}, {sum}, {1.0 / micro_batches, 0}));
    }
}

void GradientAccumulation::begin(Tape& tape, int number) const {
    for (const NodeIndex node : nodes_) tape.set_attribute(node, 1, number == 0 ? 0 : 1);
}

} // namespace gradus
