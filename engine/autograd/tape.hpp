#pragma once

#include "engine/backend/registry.hpp"
#include "engine/core/tensor.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gradus {

/// The part of a training step that a node belongs to.
enum class Phase : std::uint8_t { data, forward, backward, update, evaluate };
std::string_view name_of(Phase phase);

/// What a value is; the views give each its colour.
enum class Role : std::uint8_t { data, activation, gradient, parameter, optimizer_state, loss, metric };
std::string_view name_of(Role role);

/// What one execution of a node costs, counted from its shapes: floating-point operations (a multiply-add is
/// two), and the bytes of its operands, each counted once.
struct Cost {
    double flops = 0;
    double bytes_read = 0;
    double bytes_written = 0;
};

/// Position of a value or a node on its tape.
using ValueIndex = std::int32_t;
using NodeIndex = std::int32_t;
constexpr ValueIndex no_value = -1;

struct Op; // engine/ops/ops.hpp

/// Numbers an op is called with, besides its tensors: transpositions, a learning rate, a threshold.
using Attributes = std::array<double, GRADUS_MAX_ATTRIBUTES>;

/// One tensor of the computation. Its buffer changes from iteration to iteration; its meaning does not, nor how its elements
/// lie in the buffer. A view has no buffer of its own: it shows elements of the value it is a view of, as they are now.
struct Value {
    std::string name; ///< "z1", "W2", "dW2", "loss"
    Shape shape;
    DType dtype = DType::f32;
    Role role = Role::activation;
    bool requires_grad = false;
    NodeIndex producer = -1;        ///< node that writes it; -1 for inputs and initial parameters
    ValueIndex gradient = no_value; ///< ∂L/∂value, once backward() has made it
    Strides strides{};              ///< elements; the tape fills them in
    Dim offset = 0;                 ///< elements
    ValueIndex view_of = no_value;  ///< the value whose buffer a view shows; that one is no view itself
    StorageRef storage;             ///< empty for a view

    Layout layout() const { return {shape, strides, offset}; }
    bool contiguous() const { return is_contiguous(layout()); }
};

/// One op on the tape, with its operands, its prepared call and what it costs.
struct Node {
    const Op* op = nullptr;
    Phase phase = Phase::forward;
    std::string module;        ///< "layer1", "loss"
    std::string label;         ///< what tells it from others of its op in its module: "∂W1", "z1"
    NodeIndex forward = -1;    ///< for a backward node: the node it differentiates, or that it computes again
    NodeIndex repeats = -1;    ///< for a node of activation checkpointing: the forward node that it computes again
    NodeIndex repeated_by = -1;
    std::vector<ValueIndex> inputs, outputs;
    Cost cost;
    GradusKernel kernel = nullptr; ///< null for a view: nothing is computed
    const char* implementation = "";
    ValueIndex skipped_where = no_value; ///< a scalar: where it is not 0, the node is not computed and what it would write stays
    GradusCall call{};
};

/// The computation, written down once per set of shapes and then executed every iteration. Backward nodes are
/// nodes like any other, appended by backward(); so is the optimizer's update. A forward value that a backward
/// node reads is a saved tensor.
///
/// Executing a node never overwrites a buffer that somebody else holds: it takes a fresh one from the pool, so a
/// snapshot is a reference and costs nothing. A value has its first buffer once a node has written it.
///
/// A view (transpose, slice, …) computes nothing. Where an op's implementation does not take the strides of an input, the tape
/// appends a node that makes a contiguous copy first, in the op's phase and module; later nodes read that copy too.
class Tape {
public:
    Tape(std::shared_ptr<Device> device, std::shared_ptr<BufferPool> pool);

    /// A value that no node computes. `tensor` gives shape, dtype, contents and, unless it is a parameter or an optimizer's
    /// state (updates write those in place) or broadcast, its strides.
    ValueIndex input(std::string name, const Tensor& tensor, Role role, bool requires_grad = false);

    /// Appends a node and its output values (named `output_names`). Throws ShapeError where the op refuses the
    /// shapes and UnavailableError where the device has no implementation. A view's node shares the buffer of its input.
    NodeIndex apply(const Op& op, Phase phase, std::string module, std::vector<ValueIndex> inputs,
                    std::vector<std::string> output_names, Attributes attributes = {});
    /// Appends a node that writes existing values anew: an update in place. Throws ShapeError for a view.
    NodeIndex apply_onto(const Op& op, Phase phase, std::string module, std::vector<ValueIndex> inputs,
                         std::vector<ValueIndex> outputs, Attributes attributes = {});

    /// From now on, forward nodes that are appended read their inputs in the types that autocast_table() asks for; a cast node
    /// comes before where an input has another: one for each parameter, one per use of other values, as in PyTorch, so that
    /// gradients of several uses are summed in the wider type. `low` is fp16 or bf16; nothing ends it. Throws ArgumentError for
    /// another type.
    void set_autocast(std::optional<DType> low);
    /// The value in a floating type: itself, or the output of a cast node in `module` of the forward phase.
    ValueIndex in_type(ValueIndex value, DType dtype, const std::string& module);
    /// From now on, what apply_onto() appends is not computed in an iteration in which the scalar `flag` is not 0 when its turn
    /// comes: the values it would write stay as they are. no_value ends that.
    void skip_where(ValueIndex flag) { skipped_where_ = flag; }

    /// Activation checkpointing: what the nodes from `first` on have written is not kept for backward() but computed again there, by
    /// the same ops with the same attributes (a dropout draws the same mask) and so to the same bits. Only what nodes before and
    /// after them read stays. Throws ArgumentError unless these are forward nodes that belong to no other such segment. Source:
    /// Chen et al. 2016, Training Deep Nets with Sublinear Memory Cost.
    void checkpoint_from(NodeIndex first);

    /// Appends the nodes that compute ∂loss/∂v for every value that requires it, from the last node back to the first.
    /// Afterwards value(v).gradient names them. Where the op of `loss` does not take ∂L = 1 as given (Op::seeds_itself), a
    /// constant "dL" = 1 of the loss' shape is appended as its gradient. Throws ShapeError if `loss` is not a scalar, Error if
    /// another loss that takes ∂L = 1 as given lies before it.
    void backward(ValueIndex loss);
    /// As backward(), from several outputs whose gradients are given: gradients[i] is a value of the shape and type of outputs[i].
    void backward_from(std::span<const ValueIndex> outputs, std::span<const ValueIndex> gradients);
    /// For an op's backward rule: adds one contribution to the gradient of `value`, named "d" + its name.
    /// The rule appends its node through this, so that several uses of a value are summed.
    void contribute(ValueIndex value, const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                    Attributes attributes = {});
    /// For an op whose output differs from `value` only by a constant: ∂L/∂value is the tensor `gradient` itself.
    void share_gradient(ValueIndex value, NodeIndex forward, ValueIndex gradient);
    /// For a backward rule: appends a node of the backward phase with any number of outputs (dx, dγ, dβ) and returns them. The
    /// rule gives each to its value with share_gradient.
    std::vector<ValueIndex> on_the_way_back(const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                                            std::vector<std::string> output_names, Attributes attributes = {});
    /// For the backward rule of an op with several outputs: ∂L/∂value, or a constant of zeros where the loss does not depend
    /// on it.
    ValueIndex gradient_or_zeros(ValueIndex value);

    /// Computes one node from the current buffers. Throws Error with the op's name if the backend fails, or if it reads what has
    /// no buffer; Interrupted where a stop was requested (see heed), with nothing computed.
    void execute(NodeIndex node);
    /// Has `listener` called after every node that execute() has computed, on its thread; one at a time, none at first.
    void after_each(std::function<void(NodeIndex)> listener) { after_each_ = std::move(listener); }
    /// From now on execute() throws Interrupted once a stop was requested, so that whoever waits need not wait for a whole step.
    void heed(std::stop_token stop) { stop_ = std::move(stop); }
    /// Lets go of the buffer of a value that a node will write again; whoever else holds it keeps it.
    void release(ValueIndex value);

    /// The value's current contents, shared, not copied; strided for a view. Throws Error where it has none: nothing has written
    /// it, or it was let go of.
    Tensor tensor(ValueIndex value) const;
    /// Replaces a value's contents; shape and dtype must be the value's. It is copied where its elements do not lie as the
    /// value's do. Throws ShapeError otherwise, and for a view.
    void set(ValueIndex value, const Tensor& tensor);
    /// The value's buffer for writing all of it, row by row; a fresh one if somebody holds the old. Throws ShapeError for a
    /// value that is not contiguous.
    void* writable(ValueIndex value);
    /// Has the fresh buffers at hand that executing every node once will take, so that no node is timed while the system
    /// finds memory for a snapshot. Throws Interrupted where a stop was requested (see heed).
    void prepare_buffers();
    /// Element 0 as a double.
    double scalar(ValueIndex value) const;
    /// Changes an attribute of a node, as a learning rate changes between iterations.
    void set_attribute(NodeIndex node, int attribute, double number);

    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<Value>& values() const { return values_; }
    const Node& node(NodeIndex index) const { return nodes_[static_cast<std::size_t>(index)]; }
    const Value& value(ValueIndex index) const { return values_[static_cast<std::size_t>(index)]; }
    /// The value in whose buffer it lies: itself, or what it is a view of.
    ValueIndex base_of(ValueIndex index) const { return value(index).view_of == no_value ? index : value(index).view_of; }
    /// The value of this name, or no_value.
    ValueIndex find(std::string_view name) const;
    BufferPool& pool() const { return *pool_; }
    const Device& device() const { return *device_; }

private:
    ValueIndex add_value(Value value);
    struct Segment {
        NodeIndex first, end;
    };
    void walk_back(std::span<const ValueIndex> from, NodeIndex last);
    bool is_wanted(NodeIndex node, const std::vector<bool>& reached) const;
    void call_rule(NodeIndex node, NodeIndex last, std::vector<bool>& reached);
    void repeat_and_walk_back(const Segment& segment, NodeIndex last, std::vector<bool>& reached);
    std::vector<ValueIndex> repeat(const Segment& segment);
    std::string gradient_name(ValueIndex value) const;
    NodeIndex add_node(Node node);
    void find_kernel(Node& node, std::span<const Value> outputs);
    void place_view(Node& node, Value& output, const Attributes& attributes);
    ValueIndex contiguous_copy_of(ValueIndex value, Phase phase, const std::string& module);
    NodeIndex backward_node(const Op& op, NodeIndex forward, std::vector<ValueIndex> inputs,
                            std::vector<std::string> output_names, Attributes attributes);
    ValueIndex sum_of(ValueIndex first, ValueIndex second, NodeIndex forward, const std::string& name);
    std::string unused(std::string name) const;
    void cast_inputs(const Op& op, const std::string& module, std::vector<ValueIndex>& inputs);
    const StorageRef& storage_of(const Value& value) const;
    StorageRef buffer_for(const Value& value, std::int32_t output = -1) const;
    void expect_buffer(const Value& value) const;
    void* data_of(const Value& value) const;

    std::shared_ptr<Device> device_;
    std::shared_ptr<BufferPool> pool_;
    std::vector<Value> values_;
    std::vector<Node> nodes_;
    std::function<void(NodeIndex)> after_each_;
    std::stop_token stop_;
    std::vector<Segment> segments_; ///< to be computed again, in their order on the tape
    std::optional<DType> autocast_;
    ValueIndex skipped_where_ = no_value;
};

} // namespace gradus
