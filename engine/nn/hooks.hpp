#pragma once

#include "engine/autograd/tape.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace gradus {

/// Functions that are called whenever a named module has computed its output, or the gradient of its input: to look, or to put
/// another tensor in its place, in every iteration until they are removed.
///
/// A tape is written once, so a module needs its places for hooks when it is put on it: hooks or watch() come before the module
/// is called. Each place is a node y = 1 · x of the module (op scale), "name.hook.in" and "name.hook.out", and so is its
/// gradient: a replaced output does not change what the module itself has saved, a replaced gradient not what others read.
/// Modules without hooks have no such nodes. More hooks can be registered, and all removed, at any time.
///
///     auto hooks = std::make_shared<ModuleHooks>(tape);
///     const Module root = Module(tape, "net", DType::f32, 1, parameters).with_hooks(hooks);
///     const HookId id = hooks->on_forward("net.mlp", [](const auto& call, auto inputs, const Tensor& output) { … });
///
/// Hooks run inside Tape::execute, on the thread that calls it, in the order in which they were registered; each sees what the
/// one before it left. What one throws comes out of execute. Source: torch.nn.Module.register_forward_hook and
/// register_full_backward_hook.
class ModuleHooks : public std::enable_shared_from_this<ModuleHooks> {
public:
    /// The tape must outlive it.
    explicit ModuleHooks(Tape& tape);

    struct Call {
        const std::string& module;
        int number = 0; ///< counted from 0, where a module is called several times in an iteration
    };
    /// inputs and output of the call -> what to take for the output, or nothing. The gradient passes a replaced output as it
    /// would the module's own: ∂L/∂output is given to the module unchanged.
    using Forward = std::function<std::optional<Tensor>(const Call&, std::span<const Tensor> inputs, const Tensor& output)>;
    /// The gradients of the inputs that the module made, and that of its output -> what to take for the former: nothing, or one
    /// for each input, undefined ones standing for no change. An input without gradient (indices, data) has an undefined one.
    /// What other readers of an input add to its gradient is not in it.
    using Backward =
        std::function<std::vector<Tensor>(const Call&, std::span<const Tensor> input_gradients, const Tensor& output_gradient)>;
    using HookId = std::int64_t;

    /// Throws ArgumentError where the module stands on the tape already, without places for hooks.
    HookId on_forward(const std::string& module, Forward hook);
    HookId on_backward(const std::string& module, Backward hook);
    /// Does nothing for a hook that is gone. A hook may remove itself or others.
    void remove(HookId id);
    /// Gives the module places for hooks though it has none yet.
    void watch(const std::string& module);

    /// For Module: x or y itself, or the places for hooks after it.
    ValueIndex enter(const std::string& module, ValueIndex x);
    ValueIndex leave(const std::string& module, ValueIndex y);

private:
    template <class Function> struct Registered {
        HookId id;
        Function function;
    };
    struct Placed {
        std::vector<ValueIndex> inputs; ///< what the module reads: places, or values without gradient
        ValueIndex output = no_value;
        int number = 0;
        Tensor output_gradient;                  ///< while gradients of the inputs are still to come
        std::vector<ValueIndex> gradient_values; ///< of the inputs; no_value: none
        std::size_t gradients_to_come = 0, gradients_of_an_iteration = 0;
    };
    struct Watched {
        std::vector<Registered<Forward>> forward;
        std::vector<Registered<Backward>> backward;
        std::vector<ValueIndex> open; ///< inputs of a call that has not left yet
        std::vector<Placed> calls;
    };
    /// What a node means: the output of a call, its gradient, or the gradient of an input.
    struct Place {
        enum class Kind : std::uint8_t { output, output_gradient, input_gradient } kind;
        std::string module;
        std::size_t call;
    };

    Watched& open_to_hooks(const std::string& module);
    ValueIndex place(const std::string& module, ValueIndex value, const char* name);
    void executed(NodeIndex node);
    void find_places();
    void run_forward(const std::string& module, std::size_t call);
    void run_backward(const std::string& module, std::size_t call);

    Tape& tape_;
    HookId next_id_ = 1;
    bool listening_ = false;
    std::map<std::string, Watched> watched_;
    std::map<std::string, bool> passed_; ///< modules that were called without places
    std::unordered_map<NodeIndex, Place> places_;
    std::size_t nodes_looked_at_ = 0;
};

using HookId = ModuleHooks::HookId;

} // namespace gradus
