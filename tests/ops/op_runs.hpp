#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/ops/ops.hpp"
#include "tests/support/tensors.hpp"

namespace gradus::test {

/// One op on a tape of its own. Floating inputs require a gradient.
struct OpRun {
    Tape tape;
    std::vector<ValueIndex> inputs, outputs;

    OpRun(const Op& op, const std::vector<Tensor>& given, std::size_t output_count, const Attributes& attributes = {},
          std::shared_ptr<Device> device = cpu())
        : tape(std::move(device), std::make_shared<BufferPool>()) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < given.size(); ++i)
            inputs.push_back(tape.input("in" + std::to_string(i), given[i], Role::data, is_floating(given[i].dtype())));
        for (std::size_t i = 0; i < output_count; ++i) names.push_back("out" + std::to_string(i));
        outputs = tape.node(tape.apply(op, Phase::forward, "part", inputs, names, attributes)).outputs;
    }
    /// Appends the gradients, ∂L/∂(output 0) as given.
    void differentiate(const Tensor& upstream) {
        tape.backward_from(std::vector{outputs[0]}, std::vector{tape.input("upstream", upstream, Role::gradient)});
    }
    void execute() {
        for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    }
    Tensor output(std::size_t i) const { return tape.tensor(outputs[i]); }
    Tensor gradient(std::size_t i) const { return tape.tensor(tape.value(inputs[i]).gradient); }
    /// Every output and every gradient there is.
    std::vector<Tensor> results() const {
        std::vector<Tensor> out;
        for (const ValueIndex value : outputs) out.push_back(tape.tensor(value));
        for (const ValueIndex value : inputs)
            if (tape.value(value).gradient != no_value) out.push_back(tape.tensor(tape.value(value).gradient));
        return out;
    }
};

} // namespace gradus::test
