#include "engine/nn/module.hpp"

#include "engine/core/philox.hpp"

namespace gradus {

namespace {

/// The stream of a parameter's numbers: FNV-1a of its name, with the top bit set, where no other use of a seed has one.
std::uint64_t stream_of(const std::string& name) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash | std::uint64_t{1} << 63;
}

std::vector<double> filled(const Shape& shape, double value) { return std::vector<double>(static_cast<std::size_t>(shape.elements()), value); }

} // namespace

Module::Module(Tape& tape, std::string name, DType dtype, std::uint64_t seed, std::vector<ValueIndex>& parameters)
    : tape_(&tape), name_(std::move(name)), dtype_(dtype), seed_(seed), parameters_(&parameters) {}

Module Module::part(const std::string& name) const {
    Module made = *this;
    made.name_ = full(name);
    return made;
}

Module Module::with_hooks(std::shared_ptr<ModuleHooks> hooks) const {
    Module made = *this;
    made.hooks_ = std::move(hooks);
    return made;
}

ValueIndex Module::add(const std::string& name, const Shape& shape, const std::vector<double>& values, Role role) const {
    const bool trained = role == Role::parameter;
    const ValueIndex made = tape_->input(full(name), Tensor::from_numbers(tape_->pool(), shape, dtype_, values), role, trained);
    if (trained) parameters_->push_back(made);
    return made;
}

ValueIndex Module::uniform(const std::string& name, const Shape& shape, double bound) const {
    const Philox random(seed_, stream_of(full(name)));
    std::vector<double> values = filled(shape, 0);
    random.uniforms(0, values);
    for (double& value : values) value = bound * (2.0 * value - 1.0);
    return add(name, shape, values, Role::parameter);
}

ValueIndex Module::normal(const std::string& name, const Shape& shape, double deviation) const {
    const Philox random(seed_, stream_of(full(name)));
    std::vector<double> values = filled(shape, 0);
    random.normals(0, values);
    for (double& value : values) value *= deviation;
    return add(name, shape, values, Role::parameter);
}

ValueIndex Module::constant(const std::string& name, const Shape& shape, double value) const {
    return add(name, shape, filled(shape, value), Role::parameter);
}

ValueIndex Module::buffer(const std::string& name, const Shape& shape, double value) const {
    return add(name, shape, filled(shape, value), Role::optimizer_state);
}

std::vector<ValueIndex> Module::apply(const Op& op, std::vector<ValueIndex> inputs, const std::vector<std::string>& names,
                                      Attributes attributes) const {
    std::vector<std::string> outputs;
    for (const std::string& name : names) outputs.push_back(full(name));
    return tape_->node(tape_->apply(op, Phase::forward, name_, std::move(inputs), std::move(outputs), attributes)).outputs;
}

ValueIndex Module::apply(const Op& op, std::vector<ValueIndex> inputs, const std::string& name, Attributes attributes) const {
    return apply(op, std::move(inputs), std::vector{name}, attributes)[0];
}

} // namespace gradus
