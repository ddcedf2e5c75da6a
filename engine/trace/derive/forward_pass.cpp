#include "engine/trace/derive/forward_pass.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "engine/trace/derive/run_device.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace gradus {

namespace {

/// Forward op sites in the order in which they run. Metrics feed nothing.
std::vector<const EventSite*> forward_sites(const Run& run) {
    std::vector<const EventSite*> sites;
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        if (site.level != Level::op || site.phase != Phase::forward || site.outputs.empty()) continue;
        if (std::all_of(site.outputs.begin(), site.outputs.end(),
                        [](const OutputInfo& output) { return output.role == Role::metric; }))
            continue;
        sites.push_back(&site);
    }
    std::sort(sites.begin(), sites.end(),
              [](const EventSite* a, const EventSite* b) { return a->ordinal < b->ordinal; });
    return sites;
}

bool makes_loss(const EventSite& site) {
    return std::any_of(site.outputs.begin(), site.outputs.end(),
                       [](const OutputInfo& output) { return output.role == Role::loss; });
}

const Op& op_named(const EventSite& site) {
    static const std::array<const Op*, 11> known{
        &ops::matmul(),  &ops::add_bias(), &ops::relu(), &ops::tanh(), &ops::sigmoid(), &ops::gelu(), &ops::silu(), &ops::step(),
        &ops::softmax_cross_entropy(), &ops::binary_cross_entropy(), &ops::mean_squared_error()};
    for (const Op* op : known)
        if (op->name == site.name && op->formula == site.formula) return *op;
    throw UnavailableError(fmt::format("the forward pass cannot be computed again: its op '{}' in {} is not among those "
                                       "that can be",
                                       site.name, site.module));
}

// The state an iteration began with stands before what its events wrote, so the first of a name is what was read.
const RecordedTensor* first_of(const IterationTensors* tensors, const std::string& name) {
    if (!tensors) return nullptr;
    for (const RecordedTensor& recorded : tensors->tensors)
        if (recorded.name == name && recorded.tensor.defined()) return &recorded;
    return nullptr;
}

template <class To> std::vector<To> numbers_of(const Tensor& from) {
    const auto count = static_cast<std::size_t>(from.elements());
    if (from.contiguous() && from.dtype() == DType::f32) return {from.data<float>(), from.data<float>() + count};
    if (from.contiguous() && from.dtype() == DType::f64) return {from.data<double>(), from.data<double>() + count};
    std::vector<To> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<To>(from.at(static_cast<Dim>(i)));
    return values;
}

/// The tensor in another precision; with `rows`, zeros of so many rows instead.
Tensor written_as(BufferPool& pool, const Tensor& from, DType dtype, Dim rows) {
    Shape shape = from.shape();
    if (rows > 0) {
        shape = Shape{{rows, from.shape().name(0)}};
        for (int axis = 1; axis < from.shape().rank(); ++axis) shape.append({from.shape()[axis], from.shape().name(axis)});
    } else if (!is_floating(from.dtype())) {
        return from;
    }
    const auto make = [&]<class T>(T) {
        const std::vector<T> values =
            rows > 0 ? std::vector<T>(static_cast<std::size_t>(shape.elements())) : numbers_of<T>(from);
        return Tensor::from<T>(pool, shape, values);
    };
    if (!is_floating(from.dtype())) return make(std::int32_t{});
    return dtype == DType::f64 ? make(double{}) : make(float{});
}

} // namespace

std::vector<RecordedTensor> forward_inputs(const Run& run, const Run& origin, StepIndex iteration) {
    const auto sites = forward_sites(run);
    if (sites.empty()) throw UnavailableError("this run has no forward pass that could be computed again");
    const auto tensors = run.tensors_of(iteration), setup = origin.tensors_of(-1);
    std::vector<RecordedTensor> inputs;
    std::vector<std::string> written, seen;
    for (const EventSite* site : sites) {
        for (const TensorRef& ref : site->inputs) {
            const auto in = [&ref](const std::vector<std::string>& names) {
                return std::find(names.begin(), names.end(), ref.name) != names.end();
            };
            if (in(written) || in(seen)) continue;
            seen.push_back(ref.name);
            const RecordedTensor* found = first_of(tensors.get(), ref.name);
            if (!found && ref.when != TensorRef::When::same_iteration) found = first_of(setup.get(), ref.name);
            if (!found)
                throw UnavailableError(fmt::format("'{}' of iteration {} is not at hand, so its forward pass cannot be "
                                                   "computed again",
                                                   ref.name, iteration));
            inputs.push_back(*found);
        }
        for (const OutputInfo& output : site->outputs) written.push_back(output.name);
    }
    return inputs;
}

struct ForwardPass::Pass {
    Pass(std::shared_ptr<Device> device) : tape(std::move(device), std::make_shared<BufferPool>()) {}
    Tape tape;
    ValueIndex x = no_value, prediction = no_value, loss = no_value;
    std::vector<ValueIndex> relus; ///< what they read
};

ForwardPass::ForwardPass(const Run& run, const std::vector<RecordedTensor>& inputs, Options options)
    : pass_(std::make_unique<Pass>(run_device(run.manifest().isa))) {
    Tape& tape = pass_->tape;
    const auto value_of = [&](const std::string& name) {
        const ValueIndex known = tape.find(name);
        if (known != no_value) return known;
        const auto at = std::find_if(inputs.begin(), inputs.end(), [&](const auto& input) { return input.name == name; });
        if (at == inputs.end())
            throw UnavailableError(fmt::format("'{}' is not at hand, so the forward pass cannot be computed again", name));
        const Dim rows = at->role == Role::data && at->tensor.shape().rank() > 0 ? options.rows : 0;
        return tape.input(name, written_as(tape.pool(), at->tensor, options.dtype, rows), at->role);
    };
    for (const EventSite* site : forward_sites(run)) {
        const Op& op = op_named(*site);
        const bool loss = makes_loss(*site);
        if (loss) loss_op_ = site->name;
        if (loss && !options.loss) continue;
        std::vector<ValueIndex> reads;
        for (const TensorRef& ref : site->inputs) reads.push_back(value_of(ref.name));
        std::vector<std::string> names;
        for (const OutputInfo& output : site->outputs) names.push_back(output.name);
        const Node& node = tape.node(tape.apply(op, Phase::forward, site->module, reads, names));
        const Shape &made = tape.value(node.outputs[0]).shape, &recorded = site->outputs[0].shape;
        bool alike = made.rank() == recorded.rank();
        for (int axis = options.rows > 0 ? 1 : 0; alike && axis < made.rank(); ++axis) alike = made[axis] == recorded[axis];
        if (!alike) // transposed operands: an attribute that the site does not keep
            throw UnavailableError(fmt::format("the forward pass cannot be computed again: '{}' in {} gives {} instead of "
                                               "the recorded {}",
                                               site->name, site->module, made.text(), recorded.text()));
        if (pass_->x == no_value && tape.value(reads[0]).role == Role::data) pass_->x = reads[0];
        if (op.name == ops::relu().name) pass_->relus.push_back(reads[0]);
        if (loss) pass_->loss = node.outputs.back();
        else pass_->prediction = node.outputs[0];
    }
    if (pass_->prediction == no_value || pass_->x == no_value)
        throw UnavailableError("this run has no forward pass that could be computed again");
    const Shape& x = tape.value(pass_->x).shape;
    rows_ = x.rank() > 0 ? x[0] : 1;
    width_ = rows_ > 0 ? x.elements() / rows_ : 0;
}

ForwardPass::~ForwardPass() = default;
ForwardPass::ForwardPass(ForwardPass&&) noexcept = default;
ForwardPass& ForwardPass::operator=(ForwardPass&&) noexcept = default;

double ForwardPass::run() {
    Tape& tape = pass_->tape;
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    return pass_->loss == no_value ? std::numeric_limits<double>::quiet_NaN() : tape.scalar(pass_->loss);
}

double ForwardPass::run(std::span<const double> examples) {
    Tape& tape = pass_->tape;
    const Value& x = tape.value(pass_->x);
    if (static_cast<Dim>(examples.size()) != x.shape.elements())
        throw ShapeError(fmt::format("the forward pass takes {} numbers at a time, not {}", x.shape.elements(),
                                     examples.size()));
    void* data = tape.writable(pass_->x);
    if (x.dtype == DType::f64) std::copy(examples.begin(), examples.end(), static_cast<double*>(data));
    else std::transform(examples.begin(), examples.end(), static_cast<float*>(data),
                        [](double number) { return static_cast<float>(number); });
    return run();
}

double ForwardPass::element(const std::string& input, Dim flat) const {
    const ValueIndex value = pass_->tape.find(input);
    if (value == no_value) throw ArgumentError(fmt::format("the forward pass reads no '{}'", input));
    return pass_->tape.tensor(value).at(flat);
}

void ForwardPass::set_element(const std::string& input, Dim flat, double number) {
    Tape& tape = pass_->tape;
    const ValueIndex value = tape.find(input);
    if (value == no_value || !is_floating(tape.value(value).dtype))
        throw ArgumentError(fmt::format("the forward pass reads no numbers named '{}'", input));
    const Tensor copy = tape.tensor(value).contiguous_copy(tape.pool());
    if (flat < 0 || flat >= copy.elements())
        throw ShapeError(fmt::format("'{}' has {} elements, so there is none at {}", input, copy.elements(), flat));
    auto* data = const_cast<std::byte*>(copy.raw());
    if (copy.dtype() == DType::f64) reinterpret_cast<double*>(data)[flat] = number;
    else reinterpret_cast<float*>(data)[flat] = static_cast<float>(number);
    tape.set(value, copy);
}

Tensor ForwardPass::tensor(const std::string& name) const {
    const ValueIndex value = pass_->tape.find(name);
    if (value == no_value) throw ArgumentError(fmt::format("the forward pass has no '{}'", name));
    return pass_->tape.tensor(value);
}

Tensor ForwardPass::prediction() const { return pass_->tape.tensor(pass_->prediction); }

Shape ForwardPass::prediction_shape() const { return pass_->tape.value(pass_->prediction).shape; }

std::vector<bool> ForwardPass::gates() const {
    std::vector<bool> open;
    for (const ValueIndex value : pass_->relus) {
        const Tensor tensor = pass_->tape.tensor(value);
        for (Dim i = 0; i < tensor.elements(); ++i) open.push_back(tensor.at(i) > 0);
    }
    return open;
}

} // namespace gradus
