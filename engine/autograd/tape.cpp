#include "engine/autograd/tape.hpp"

#include "engine/autograd/autocast.hpp"
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

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

const StorageRef& Tape::storage_of(const Value& v) const { return v.view_of == no_value ? v.storage : value(v.view_of).storage; }

StorageRef Tape::buffer_for(const Value& v, std::int32_t output) const {
    return pool_->allocate(static_cast<std::size_t>(extent_of(v.layout())) * size_of(v.dtype), output);
}

void Tape::expect_buffer(const Value& v) const {
    if (!storage_of(v)) throw Error(fmt::format("{} has no buffer: nothing has written it yet, or it was let go of", v.name));
}

void* Tape::data_of(const Value& v) const {
    return static_cast<std::byte*>(storage_of(v).data()) + static_cast<std::size_t>(v.offset) * size_of(v.dtype);
}

ValueIndex Tape::add_value(Value value) {
    if (!value.storage && value.view_of == no_value) value.strides = contiguous_layout(value.shape).strides;
    values_.push_back(std::move(value));
    return static_cast<ValueIndex>(values_.size() - 1);
}

namespace {

/// The tensor itself where its buffer begins with it, else a copy.
Tensor whole(const Tensor& tensor, BufferPool& pool) {
    return tensor.contiguous() && tensor.raw() == tensor.storage().data() ? tensor : tensor.contiguous_copy(pool);
}

GradusArray array_of(const Layout& layout, DType dtype) {
    GradusArray array{};
    array.rank = layout.shape.rank();
    array.dtype = static_cast<std::int32_t>(dtype);
    for (int axis = 0; axis < array.rank; ++axis) {
        array.sizes[axis] = layout.shape[axis];
        array.strides[axis] = layout.strides[static_cast<std::size_t>(axis)];
    }
    return array;
}

} // namespace

ValueIndex Tape::input(std::string name, const Tensor& tensor, Role role, bool requires_grad) {
    const bool updated = role == Role::parameter || role == Role::optimizer_state;
    const bool as_it_lies = !tensor.contiguous() && !updated && !may_overlap(tensor.layout());
    Value value;
    value.name = std::move(name);
    value.shape = tensor.shape();
    value.dtype = tensor.dtype();
    value.role = role;
    value.requires_grad = requires_grad;
    value.strides = as_it_lies ? tensor.layout().strides : contiguous_layout(tensor.shape()).strides;
    value.offset = as_it_lies ? tensor.offset() : 0;
    value.storage = as_it_lies ? tensor.storage() : whole(tensor, *pool_).storage();
    return add_value(std::move(value));
}

NodeIndex Tape::add_node(Node node) {
    node.label = value(node.outputs[0]).name;
    node.cost = node.op->cost(*this, node);
    nodes_.push_back(std::move(node));
    return static_cast<NodeIndex>(nodes_.size() - 1);
}

ValueIndex Tape::contiguous_copy_of(ValueIndex index, Phase phase, const std::string& module) {
    const ValueIndex buffer = value(index).view_of == no_value ? index : value(index).view_of;
    for (NodeIndex i = static_cast<NodeIndex>(nodes_.size()) - 1; i >= 0; --i) {
        const Node& n = node(i);
        const bool made_before = n.phase == phase || (n.phase < phase && phase <= Phase::backward); // in every iteration
        if (n.op == &ops::contiguous() && n.inputs[0] == index && made_before) return n.outputs[0];
        if (std::find(n.outputs.begin(), n.outputs.end(), buffer) != n.outputs.end()) break; // copies from before are old
    }
    return node(apply(ops::contiguous(), phase, module, {index}, {value(index).name + " contiguous"})).outputs[0];
}

/// Finds what computes the node; where it takes no strides, contiguous copies of its inputs are made first.
void Tape::find_kernel(Node& node, std::span<const Value> outputs) {
    GradusCall& call = node.call;
    if (node.inputs.size() > GRADUS_MAX_ARRAYS || outputs.size() > GRADUS_MAX_ARRAYS)
        throw ShapeError(fmt::format("{} takes at most {} tensors", node.op->name, GRADUS_MAX_ARRAYS));
    call.input_count = static_cast<std::int32_t>(node.inputs.size());
    call.output_count = static_cast<std::int32_t>(outputs.size());
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Value& v = value(node.inputs[i]);
        call.inputs[i] = array_of(v.layout(), v.dtype);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i)
        call.outputs[i] = array_of(contiguous_layout(outputs[i].shape), outputs[i].dtype);
    std::optional<Device::Found> found = device_->look_for(node.op->kernel, call);
    if (!found && node.op == &ops::contiguous()) found = device_->find(node.op->kernel, call); // throws: no copy helps what makes copies
    if (!found) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const Value& v = value(node.inputs[i]);
            call.inputs[i] = array_of(contiguous_layout(v.shape), v.dtype);
        }
        found = device_->find(node.op->kernel, call);
        for (ValueIndex& input : node.inputs)
            if (!value(input).contiguous()) input = contiguous_copy_of(input, node.phase, node.module);
    }
    node.kernel = found->kernel;
    node.implementation = found->implementation;
}

/// Lets a view's output show the buffer of its input, which is copied first where no strides say where the elements lie.
void Tape::place_view(Node& node, Value& output, const Attributes& attributes) {
    std::optional<Layout> layout = node.op->view(value(node.inputs[0]).layout(), output.shape, attributes);
    if (!layout) {
        node.inputs[0] = contiguous_copy_of(node.inputs[0], node.phase, node.module);
        layout = node.op->view(value(node.inputs[0]).layout(), output.shape, attributes);
    }
    const ValueIndex base = value(node.inputs[0]).view_of;
    output.strides = layout.value().strides;
    output.offset = layout->offset;
    output.view_of = base == no_value ? node.inputs[0] : base;
    node.implementation = "view";
}

NodeIndex Tape::apply(const Op& op, Phase phase, std::string module, std::vector<ValueIndex> inputs,
                      std::vector<std::string> output_names, Attributes attributes) {
    if (autocast_ && phase == Phase::forward) cast_inputs(op, module, inputs);
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
    std::copy(attributes.begin(), attributes.end(), node.call.attributes);
    if (op.view) place_view(node, outputs[0], attributes);
    else find_kernel(node, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        outputs[i].name = std::move(output_names[i]);
        outputs[i].producer = static_cast<NodeIndex>(nodes_.size());
        outputs[i].requires_grad = requires_grad && phase == Phase::forward && outputs[i].role != Role::metric &&
                                   is_floating(outputs[i].dtype);
        node.outputs.push_back(add_value(std::move(outputs[i])));
    }
    return add_node(std::move(node));
}

NodeIndex Tape::apply_onto(const Op& op, Phase phase, std::string module, std::vector<ValueIndex> inputs,
                           std::vector<ValueIndex> outputs, Attributes attributes) {
    const std::vector<Value> inferred = op.infer(*this, inputs, attributes);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Value& target = value(outputs[i]);
        if (i >= inferred.size() || !inferred[i].shape.same_sizes(target.shape) || inferred[i].dtype != target.dtype ||
            op.view || target.view_of != no_value || !target.contiguous())
            throw ShapeError(fmt::format("{} cannot write onto {} of shape {}{}", op.name, target.name, target.shape.text(),
                                         target.contiguous() ? "" : ", whose elements do not lie one after another"));
    }
    Node node;
    node.op = &op;
    node.phase = phase;
    node.module = std::move(module);
    node.inputs = std::move(inputs);
    for (ValueIndex& input : node.inputs) // what is read through a view would be written meanwhile
        if (std::find(outputs.begin(), outputs.end(), value(input).view_of) != outputs.end())
            input = contiguous_copy_of(input, phase, node.module);
    std::copy(attributes.begin(), attributes.end(), node.call.attributes);
    find_kernel(node, inferred);
    node.outputs = std::move(outputs);
    node.skipped_where = skipped_where_;
    return add_node(std::move(node));
}

void Tape::set_autocast(std::optional<DType> low) {
    if (low && !is_half(*low)) throw ArgumentError(fmt::format("autocast computes in fp16 or bf16, not in {}", name_of(*low)));
    autocast_ = low;
}

ValueIndex Tape::in_type(ValueIndex index, DType dtype, const std::string& module) {
    const Value& v = value(index);
    if (v.dtype == dtype) return index;
    if (v.role == Role::parameter) // which nothing writes between the nodes of the forward phase
        for (const Node& n : nodes_)
            if (n.op == &ops::cast() && n.phase == Phase::forward && n.inputs[0] == index && value(n.outputs[0]).dtype == dtype)
                return n.outputs[0];
    std::string name = unused(fmt::format("{} {}", v.name, name_of(dtype)));
    return node(apply(ops::cast(), Phase::forward, module, {index}, {std::move(name)}, {static_cast<double>(dtype)})).outputs[0];
}

void Tape::cast_inputs(const Op& op, const std::string& module, std::vector<ValueIndex>& inputs) {
    const AutocastRule rule = autocast_rule(op.name);
    if (rule == AutocastRule::keep) return;
    std::optional<DType> widest;
    for (const ValueIndex input : inputs)
        if (const DType dtype = value(input).dtype; is_floating(dtype)) widest = widest ? wider(*widest, dtype) : dtype;
    if (!widest) return;
    for (ValueIndex& input : inputs) input = in_type(input, type_under(rule, value(input).dtype, *autocast_, *widest), module);
}

void Tape::execute(NodeIndex index) {
    Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!node.kernel) return; // a view: its elements lie in its base's buffer, whichever that is now
    if (stop_.stop_requested()) throw Interrupted();
    if (node.skipped_where != no_value && scalar(node.skipped_where) != 0) return;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Value& read = value(node.inputs[i]);
        if (!storage_of(read))
            throw Error(fmt::format("{} in {} reads {}, which has no buffer: nothing has written it yet, or it was let go of",
                                    node.op->name, node.module, read.name));
        node.call.inputs[i].data = data_of(read);
    }
    StorageRef replaced[GRADUS_MAX_ARRAYS]; // old buffers stay alive while the kernel may read them
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        Value& value = values_[static_cast<std::size_t>(node.outputs[i])];
        if (!value.storage.unique()) {
            replaced[i] = std::move(value.storage);
            value.storage = buffer_for(value, static_cast<std::int32_t>(i));
        }
        node.call.outputs[i].data = value.storage.data();
    }
    if (node.kernel(&node.call) != GRADUS_OK) {
        const std::string why = device_->trouble();
        throw Error(fmt::format("{} in {} failed: {}", node.op->name, node.module, why.empty() ? "an index, label or step is outside its range" : why));
    }
    if (after_each_) after_each_(index);
}

void Tape::release(ValueIndex index) {
    Value& v = values_[static_cast<std::size_t>(index)];
    if (v.producer < 0) throw Error(fmt::format("{} cannot be let go of: no node would write it again", v.name));
    v.storage = StorageRef{};
}

Tensor Tape::tensor(ValueIndex index) const {
    const Value& v = value(index);
    expect_buffer(v);
    return Tensor(storage_of(v), v.layout(), v.dtype);
}

void Tape::set(ValueIndex index, const Tensor& tensor) {
    Value& v = values_[static_cast<std::size_t>(index)];
    if (!tensor.shape().same_sizes(v.shape) || tensor.dtype() != v.dtype)
        throw ShapeError(fmt::format("{} has shape {} and dtype {}, not {} and {}", v.name, v.shape.text(),
                                     name_of(v.dtype), tensor.shape().text(), name_of(tensor.dtype())));
    if (v.view_of != no_value)
        throw ShapeError(fmt::format("{} is a view of {}: set that one", v.name, value(v.view_of).name));
    if (v.offset == 0 && v.contiguous()) v.storage = whole(tensor, *pool_).storage();
    else if (tensor.offset() == v.offset && tensor.layout().strides == v.strides) v.storage = tensor.storage();
    else v.storage = tensor.copy_as(*pool_, v.layout()).storage();
}

void* Tape::writable(ValueIndex index) {
    Value& v = values_[static_cast<std::size_t>(index)];
    if (v.view_of != no_value || !v.contiguous())
        throw ShapeError(fmt::format("{} cannot be written row by row: its elements do not lie one after another in a buffer "
                                     "of its own", v.name));
    if (!v.storage.unique()) v.storage = buffer_for(v);
    return data_of(v);
}

void Tape::prepare_buffers() {
    std::vector<std::size_t> needed;
    for (const Node& node : nodes_)
        for (const ValueIndex output : node.outputs)
            if (const Value& v = value(output); node.kernel && !v.storage.unique())
                needed.push_back(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    pool_->prepare(needed, stop_);
}

double Tape::scalar(ValueIndex index) const {
    const Value& v = value(index);
    expect_buffer(v);
    if (v.dtype == DType::f32) return static_cast<double>(*static_cast<const float*>(data_of(v)));
    if (v.dtype == DType::f64) return *static_cast<const double*>(data_of(v));
    return tensor(index).at(0);
}

void Tape::set_attribute(NodeIndex index, int attribute, double number) {
    Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!node.kernel)
        throw Error(fmt::format("{} in {} is a view: where its elements lie does not change", node.op->name, node.module));
    node.call.attributes[attribute] = number;
    if (node.repeated_by >= 0) nodes_[static_cast<std::size_t>(node.repeated_by)].call.attributes[attribute] = number;
}

ValueIndex Tape::find(std::string_view name) const {
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (values_[i].name == name) return static_cast<ValueIndex>(i);
    return no_value;
}

} // namespace gradus
