#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/nn/hooks.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gradus {

/// A named place on a tape where a layer makes its parameters and puts its nodes; parts of it are called "block1.attn".
/// Initial numbers are drawn from the seed and the parameter's full name, so that no layer changes those of another.
class Module {
public:
    /// Every parameter that the module or a part of it makes is appended to `parameters`, which must outlive them.
    Module(Tape& tape, std::string name, DType dtype, std::uint64_t seed, std::vector<ValueIndex>& parameters);
    Module part(const std::string& name) const;
    /// The same place for modules whose names have hooks; parts of it have them too.
    Module with_hooks(std::shared_ptr<ModuleHooks> hooks) const;

    /// For a layer: its input as it comes in, its output as it goes out; places for hooks where its name has any.
    ValueIndex enter(ValueIndex x) const { return hooks_ ? hooks_->enter(name_, x) : x; }
    ValueIndex leave(ValueIndex y) const { return hooks_ ? hooks_->leave(name_, y) : y; }

    Tape& tape() const { return *tape_; }
    const std::string& name() const { return name_; }
    DType dtype() const { return dtype_; }

    /// Parameters, named "block1.attn.q_proj.weight": uniform in ±bound, normal, or one number everywhere.
    ValueIndex uniform(const std::string& name, const Shape& shape, double bound) const;
    ValueIndex normal(const std::string& name, const Shape& shape, double deviation) const;
    ValueIndex constant(const std::string& name, const Shape& shape, double value) const;
    /// A value that is kept but not trained, as running statistics are.
    ValueIndex buffer(const std::string& name, const Shape& shape, double value) const;

    /// Appends a forward node whose outputs are named after the module and returns the first, or all.
    ValueIndex apply(const Op& op, std::vector<ValueIndex> inputs, const std::string& name, Attributes attributes = {}) const;
    std::vector<ValueIndex> apply(const Op& op, std::vector<ValueIndex> inputs, const std::vector<std::string>& names,
                                  Attributes attributes = {}) const;

private:
    ValueIndex add(const std::string& name, const Shape& shape, const std::vector<double>& values, Role role) const;
    std::string full(const std::string& name) const { return name_ + "." + name; }

    Tape* tape_;
    std::string name_;
    DType dtype_;
    std::uint64_t seed_;
    std::vector<ValueIndex>* parameters_;
    std::shared_ptr<ModuleHooks> hooks_;
};

} // namespace gradus
