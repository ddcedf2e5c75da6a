#include "engine/trace/derive/activation_curve.hpp"

#include "engine/autograd/tape.hpp"
#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gradus {

namespace {

constexpr std::array<std::string_view, 6> op_names{"step", "sigmoid", "tanh", "relu", "gelu", "silu"};

const Op& op_of(std::string_view name) {
    if (is_activation(name))
        for (const Op* op : all_ops())
            if (op->name == name) return *op;
    throw ArgumentError(fmt::format("'{}' is no activation", name));
}

Tensor column_of(BufferPool& pool, std::span<const double> values, DType dtype) {
    const Shape shape{{static_cast<Dim>(values.size()), "z"}};
    if (dtype == DType::f64) return Tensor::from<double>(pool, shape, values);
    const std::vector<float> rounded(values.begin(), values.end());
    return Tensor::from<float>(pool, shape, rounded);
}

std::vector<double> numbers_of(const Tensor& tensor) {
    std::vector<double> out;
    for (Dim i = 0; i < tensor.elements(); ++i) out.push_back(tensor.at(i));
    return out;
}

} // namespace

std::span<const std::string_view> activation_ops() { return op_names; }

bool is_activation(std::string_view op) { return std::find(op_names.begin(), op_names.end(), op) != op_names.end(); }

std::vector<double> even_grid(double least, double most, std::size_t points) {
    std::vector<double> out;
    const double last = static_cast<double>(points) - 1;
    for (std::size_t i = 0; i < points; ++i) // both ends weighed, so that the middle of an even range is exactly 0
        out.push_back(points == 1 ? least : (least * (last - static_cast<double>(i)) + most * static_cast<double>(i)) / last);
    return out;
}

ActivationCurve activation_curve(std::string_view op_name, std::span<const double> z, std::shared_ptr<Device> device, DType dtype) {
    const Op& op = op_of(op_name);
    ActivationCurve out;
    if (z.empty()) return out;
    Tape tape(std::move(device), std::make_shared<BufferPool>());
    const std::vector<double> ones(z.size(), 1.0);
    const ValueIndex argument = tape.input("z", column_of(tape.pool(), z, dtype), Role::activation, true);
    const ValueIndex arriving = tape.input("dy", column_of(tape.pool(), ones, dtype), Role::gradient);
    const NodeIndex forward = tape.apply(op, Phase::forward, "activation", {argument}, {"y"});
    const ValueIndex result = tape.node(forward).outputs[0];
    // No loss stands behind it: the gradient of y is given, and the op's own rule makes that of z.
    tape.share_gradient(result, forward, arriving);
    op.backward(tape, forward);
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
    out.z = numbers_of(tape.tensor(argument));
    out.y = numbers_of(tape.tensor(result));
    out.slope = numbers_of(tape.tensor(tape.value(argument).gradient));
    return out;
}

} // namespace gradus
