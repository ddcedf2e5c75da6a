#pragma once

#include "engine/autograd/tape.hpp"
#include "engine/ops/ops.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gradus::cli {

/// A tensor of reproducible numbers in ±1.
Tensor random_tensor(BufferPool& pool, const Shape& shape, unsigned seed);

/// One op on a tape of its own, called again and again on the same buffers.
class OpCall {
public:
    OpCall(const Op& op, const std::vector<Shape>& inputs, int outputs, int threads, const Attributes& attributes = {})
        : tape_(std::make_shared<Device>(DeviceOptions{"cpu", "", threads}), std::make_shared<BufferPool>()) {
        std::vector<ValueIndex> given;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            given.push_back(tape_.input("in" + std::to_string(i), random_tensor(tape_.pool(), inputs[i], static_cast<unsigned>(i)),
                                        Role::data));
        std::vector<std::string> names;
        for (int i = 0; i < outputs; ++i) names.push_back("out" + std::to_string(i));
        node_ = tape_.apply(op, Phase::forward, "bench", given, names, attributes);
        tape_.execute(node_); // fills in the call's buffers, which stay as they are from now on
    }
    /// What a backend is called with, without the tape around it.
    void operator()() const { tape_.node(node_).kernel(&tape_.node(node_).call); }
    const float* input(int i) const { return tape_.tensor(tape_.node(node_).inputs[static_cast<std::size_t>(i)]).data<float>(); }
    const float* output() const { return tape_.tensor(tape_.node(node_).outputs[0]).data<float>(); }

private:
    Tape tape_;
    NodeIndex node_ = -1;
};

} // namespace gradus::cli
