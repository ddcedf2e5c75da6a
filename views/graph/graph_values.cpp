#include "views/graph/graph_values.hpp"

#include "engine/trace/derive/clock_step.hpp"
#include "engine/trace/derive/differing.hpp"
#include "engine/trace/derive/norm.hpp"
#include "views/derive/settings.hpp"

#include <unordered_map>

namespace gradus {

namespace {

double number_of(const Tensor& tensor) { return tensor.elements() == 1 ? tensor.at(0) : l2_norm(tensor); }

/// The tensors of one iteration, and what there was before the first.
struct Held {
    std::shared_ptr<const IterationTensors> tensors, constants;
    Held(const Run& run, StepIndex iteration) : tensors(run.tensors_of(iteration)), constants(run.tensors_of(-1)) {}

    const RecordedTensor* find(const GraphTensor& tensor, StepIndex iteration) const {
        if (!tensors) return nullptr;
        const RecordedTensor* found = tensor.ordinal < 0 ? parameter_in(*tensors, tensor.name, false)
                                                         : tensors->find({{iteration, tensor.ordinal}, tensor.output});
        return !found && constants && tensor.ordinal < 0 ? parameter_in(*constants, tensor.name, false) : found;
    }
    const RecordedTensor* updated(const GraphNode& node) const {
        return tensors && node.update ? parameter_in(*tensors, node.tensor.name, true) : nullptr;
    }
};

/// The norm of class labels would say nothing.
std::optional<double> shown_number(const RecordedTensor* found, const GraphTensor& tensor) {
    if (!found || !found->tensor.defined()) return std::nullopt;
    if (!is_floating(tensor.dtype) && found->tensor.elements() != 1) return std::nullopt;
    return number_of(found->tensor);
}

std::optional<Compared> compare(const RecordedTensor* here, const RecordedTensor* there, const GraphTensor& tensor) {
    if (!here || !there) return std::nullopt;
    auto differing = differing_elements(here->tensor, there->tensor);
    if (!differing && here->tensor.defined() && there->tensor.defined()) differing = here->tensor.elements(); // of another shape, nothing is the same
    if (!differing) return std::nullopt;
    return Compared{*differing, here->tensor.elements(), shown_number(there, tensor)};
}

} // namespace

GraphValues values_of(const GraphModel& model, const Run& run, StepIndex iteration, const std::shared_ptr<const Run>& left) {
    GraphValues values;
    values.iteration = iteration;
    for (auto* numbers : {&values.value, &values.updated, &values.seconds}) numbers->resize(model.nodes.size());
    for (auto* compared : {&values.reached, &values.reached_update}) compared->resize(model.nodes.size());
    const Held held(run, iteration);
    std::optional<Held> parent;
    if (left) parent.emplace(*left, iteration);
    values.left = left;
    std::unordered_map<std::int32_t, double> seconds;
    const std::vector<EventRecord> events = run.events_of(iteration);
    values.clock_step = clock_step(events, run.manifest().clock);
    for (const EventRecord& event : events)
        seconds[event.ordinal] += run.manifest().clock.seconds(event.start, event.end);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        const RecordedTensor *found = held.find(node.tensor, iteration), *after = held.updated(node);
        values.value[i] = shown_number(found, node.tensor);
        values.updated[i] = shown_number(after, node.tensor);
        if (parent) {
            values.reached[i] = compare(found, parent->find(node.tensor, iteration), node.tensor);
            values.reached_update[i] = compare(after, parent->updated(node), node.tensor);
        }
        for (const GraphOp& op : node.ops)
            if (const auto took = seconds.find(op.ordinal); took != seconds.end())
                values.seconds[i] = values.seconds[i].value_or(0) + took->second;
    }
    return values;
}

} // namespace gradus
