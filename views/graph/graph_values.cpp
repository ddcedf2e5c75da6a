#include "views/graph/graph_values.hpp"

#include "engine/trace/derive/norm.hpp"
#include "views/derive/settings.hpp"

#include <unordered_map>

namespace gradus {

namespace {

double number_of(const Tensor& tensor) { return tensor.elements() == 1 ? tensor.at(0) : l2_norm(tensor); }

} // namespace

GraphValues values_of(const GraphModel& model, const Run& run, StepIndex iteration) {
    GraphValues values;
    values.iteration = iteration;
    values.value.resize(model.nodes.size());
    values.updated.resize(model.nodes.size());
    values.seconds.resize(model.nodes.size());
    const auto tensors = run.tensors_of(iteration), constants = run.tensors_of(-1);
    std::unordered_map<std::int32_t, double> seconds;
    for (const EventRecord& event : run.events_of(iteration))
        seconds[event.ordinal] += run.manifest().clock.seconds(event.start, event.end);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& node = model.nodes[i];
        if (tensors) {
            const RecordedTensor* found = node.tensor.ordinal < 0
                                              ? parameter_in(*tensors, node.tensor.name, false)
                                              : tensors->find({{iteration, node.tensor.ordinal}, node.tensor.output});
            if (!found && constants && node.tensor.ordinal < 0) found = parameter_in(*constants, node.tensor.name, false);
            const bool number = is_floating(node.tensor.dtype) || (found && found->tensor.elements() == 1); // the norm of class labels would say nothing
            if (found && number && found->tensor.defined())
                values.value[i] = number_of(found->tensor);
            if (const RecordedTensor* after = node.update ? parameter_in(*tensors, node.tensor.name, true) : nullptr)
                values.updated[i] = number_of(after->tensor);
        }
        for (const GraphOp& op : node.ops)
            if (const auto took = seconds.find(op.ordinal); took != seconds.end())
                values.seconds[i] = values.seconds[i].value_or(0) + took->second;
    }
    return values;
}

} // namespace gradus
