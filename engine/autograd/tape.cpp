#include "engine/autograd/tape.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <cstring>
#include <fmt/format.h>

namespace gradus {

std::string_view name_of(Phase phase) {
    switch (phase) {
    case Phase::data: return "data";
    case Phase::forward: return "forward";
    case Phase::backward: return "backward";
    case Phase::update: return "update";
    case Phase::evaluate: return "evaluate";
    }
    return "?";
}

std::string_view name_of(Role role) {
    switch (role) {
    case Role::data: return "data";
    case Role::activation: return "activation";
    case Role::gradient: return "gradient";
    case Role::parameter: return "parameter";
    case Role::optimizer_state: return "optimizer_state";
    case Role::loss: return "loss";
    case Role::metric: return "metric";
    }
    return "?";
}

Tape::Tape(std::shared_ptr<Device> device, std::shared_ptr<BufferPool> pool)
    : device_(std::move(device)), pool_(std::move(pool)) {}

ValueIndex Tape::add_value(Value value) {
    if (!value.storage)
        value.storage = pool_->allocate(static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype));
    values_.push_back(std::move(value));
    return static_cast<ValueIndex>(values_.size() - 1);
}

ValueIndex Tape::input(std::string name, const Tensor& tensor, Role role, bool requires_grad) {
    Value value;
    value.name = std::move(name);
    value.shape = tensor.shape();
    value.dtype = tensor.dtype();
    value.role = role;
    value.requires_grad = requires_grad;
    value.storage = whole(tensor).storage();
    return add_value(std::move(value));
}

GradusArray Tape::array_of(const Value& value) const {
    GradusArray array{};
    array.data = value.storage.data();
    array.rank = value.shape.rank();
    array.dtype = static_cast<std::int32_t>(value.dtype);
    std::int64_t stride = 1;
    for (int axis = array.rank - 1; axis >= 0; --axis) {
        array.sizes[axis] = value.shape[axis];
        array.strides[axis] = stride;
        stride *= value.shape[axis];
    }
    return array;
}

/// The tensor itself where its buffer begins with it, else a copy: a value has no offset and no strides of its own.
Tensor Tape::whole(const Tensor& tensor) const {
    return tensor.contiguous() && tensor.raw() == tensor.storage().data() ? tensor : tensor.contiguous_copy(*pool_);
}

NodeIndex Tape::add_node(Node node, Attributes attributes) {
    node.call.input_count = static_cast<std::int32_t>(node.inputs.size());
    node.call.output_count = static_cast<std::int32_t>(node.outputs.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) node.call.inputs[i] = array_of(value(node.inputs[i]));
    for (std::size_t i = 0; i < node.outputs.size(); ++i) node.call.outputs[i] = array_of(value(node.outputs[i]));
    for (std::size_t i = 0; i < attributes.size(); ++i) node.call.attributes[i] = attributes[i];
    const Device::Found found = device_->find(node.op->kernel, node.call);
    node.kernel = found.kernel;
    node.implementation = found.implementation;
    node.cost = node.op->cost(*this, node);
    nodes_.push_back(std::move(node));
    return static_cast<NodeIndex>(nodes_.size() - 1);
}

NodeIndex Tape::apply(const Op& op, Phase phase, std::string module, std::vector<ValueIndex> inputs,
                      std::vector<std::string> output_names, Attributes attributes) {
    std::vector<Value> outputs = op.infer(*this, inputs, attributes);
    if (outputs.size() != output_names.size())
        throw ShapeError(fmt::format("{} has {} outputs, but {} names were given", op.name, outputs.size(),
                                     output_names.size()));
    bool requires_grad = false;
    for (const ValueIndex index : inputs) requires_grad |= value(index).requires_grad;
    Node node;
    node.op = &op;
    node.phase = phase;
    node.module = std::move(module);
    node.inputs = std::move(inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].name = std::move(output_names[i]);
        outputs[i].producer = static_cast<NodeIndex>(nodes_.size());
        outputs[i].requires_grad = requires_grad && phase == Phase::forward && outputs[i].role != Role::metric;
        node.outputs.push_back(add_value(std::move(outputs[i])));
    }
    node.label = value(node.outputs[0]).name;
    return add_node(std::move(node), attributes);
}

NodeIndex Tape::apply_onto(const Op& op, Phase phase, std::string module, std::vector<ValueIndex> inputs,
                           std::vector<ValueIndex> outputs, Attributes attributes) {
    const std::vector<Value> inferred = op.infer(*this, inputs, attributes);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Value& target = value(outputs[i]);
        if (i >= inferred.size() || !inferred[i].shape.same_sizes(target.shape) || inferred[i].dtype != target.dtype)
            throw ShapeError(fmt::format("{} cannot write onto {} of shape {}", op.name, target.name,
                                         target.shape.text()));
    }
    Node node;
    node.op = &op;
    node.phase = phase;
    node.module = std::move(module);
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    node.label = value(node.outputs[0]).name;
    return add_node(std::move(node), attributes);
}

void Tape::contribute(ValueIndex index, const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                      Attributes attributes) {
    const std::string name = "d" + value(index).name;
    const bool second_use = value(index).gradient != no_value;
    const std::string module = node(forward).module;
    const NodeIndex made =
        apply(op, Phase::backward, module, std::move(inputs), {second_use ? name + "'" : name}, attributes);
    nodes_[static_cast<std::size_t>(made)].forward = forward;
    const ValueIndex part = node(made).outputs[0];
    if (!value(part).shape.same_sizes(value(index).shape))
        throw ShapeError(fmt::format("the gradient of {} has shape {}, not {}", value(index).name,
                                     value(part).shape.text(), value(index).shape.text()));
    values_[static_cast<std::size_t>(part)].role = Role::gradient;
    values_[static_cast<std::size_t>(part)].shape = value(index).shape; // the axes keep their names
    values_[static_cast<std::size_t>(index)].gradient = second_use ? sum_of(value(index).gradient, part, forward, name) : part;
}

ValueIndex Tape::sum_of(ValueIndex first, ValueIndex second, NodeIndex forward, const std::string& name) {
    const NodeIndex added =
        apply(ops::add(), Phase::backward, node(forward).module, {first, second}, {name + " sum"});
    nodes_[static_cast<std::size_t>(added)].forward = forward;
    values_[static_cast<std::size_t>(node(added).outputs[0])].role = Role::gradient;
    return node(added).outputs[0];
}

void Tape::share_gradient(ValueIndex index, NodeIndex forward, ValueIndex gradient) {
    const ValueIndex before = value(index).gradient;
    values_[static_cast<std::size_t>(index)].gradient =
        before == no_value ? gradient : sum_of(before, gradient, forward, "d" + value(index).name);
}

void Tape::backward(ValueIndex loss) {
    if (value(loss).shape.elements() != 1)
        throw ShapeError(fmt::format("backward starts at a scalar, but {} has shape {}", value(loss).name,
                                     value(loss).shape.text()));
    std::vector<bool> reached(values_.size(), false);
    reached[static_cast<std::size_t>(loss)] = true;
    for (NodeIndex index = static_cast<NodeIndex>(nodes_.size()) - 1; index >= 0; --index) {
        if (node(index).phase != Phase::forward || !node(index).op->backward) continue;
        bool wanted = false;
        for (const ValueIndex output : node(index).outputs)
            wanted |= reached[static_cast<std::size_t>(output)] && value(output).requires_grad;
        if (!wanted) continue;
        for (const ValueIndex input : node(index).inputs) reached[static_cast<std::size_t>(input)] = true;
        node(index).op->backward(*this, index);
        reached.resize(values_.size(), false);
    }
}

void Tape::execute(NodeIndex index) {
    Node& node = nodes_[static_cast<std::size_t>(index)];
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        node.call.inputs[i].data = values_[static_cast<std::size_t>(node.inputs[i])].storage.data();
    StorageRef replaced[GRADUS_MAX_ARRAYS]; // old buffers stay alive while the kernel may read them
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        Value& value = values_[static_cast<std::size_t>(node.outputs[i])];
        if (!value.storage.unique()) {
            replaced[i] = std::move(value.storage);
            value.storage =
                pool_->allocate(static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype));
        }
        node.call.outputs[i].data = value.storage.data();
    }
    if (node.kernel(&node.call) != GRADUS_OK)
        throw Error(fmt::format("{} in {} failed: an index or label is outside its tensor", node.op->name, node.module));
}

Tensor Tape::tensor(ValueIndex index) const {
    const Value& v = value(index);
    return Tensor(v.storage, v.shape, v.dtype);
}

void Tape::set(ValueIndex index, const Tensor& tensor) {
    Value& v = values_[static_cast<std::size_t>(index)];
    if (!tensor.shape().same_sizes(v.shape) || tensor.dtype() != v.dtype)
        throw ShapeError(fmt::format("{} has shape {} and dtype {}, not {} and {}", v.name, v.shape.text(),
                                     name_of(v.dtype), tensor.shape().text(), name_of(tensor.dtype())));
    v.storage = whole(tensor).storage();
}

void* Tape::writable(ValueIndex index) {
    Value& v = values_[static_cast<std::size_t>(index)];
    if (!v.storage.unique())
        v.storage = pool_->allocate(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    return v.storage.data();
}

void Tape::prepare_buffers() {
    std::vector<std::size_t> needed;
    for (const Node& node : nodes_)
        for (const ValueIndex output : node.outputs)
            if (const Value& v = value(output); !v.storage.unique())
                needed.push_back(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    pool_->prepare(std::move(needed));
}

double Tape::scalar(ValueIndex index) const {
    const Value& v = value(index);
    if (v.dtype == DType::f32) return static_cast<double>(*static_cast<const float*>(v.storage.data()));
    if (v.dtype == DType::f64) return *static_cast<const double*>(v.storage.data());
    return tensor(index).at(0);
}

void Tape::set_attribute(NodeIndex node, int attribute, double number) {
    nodes_[static_cast<std::size_t>(node)].call.attributes[attribute] = number;
}

ValueIndex Tape::find(std::string_view name) const {
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (values_[i].name == name) return static_cast<ValueIndex>(i);
    return no_value;
}

} // namespace gradus
