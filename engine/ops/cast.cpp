#include "engine/ops/cast.hpp"

#include "engine/ops/op_parts.hpp"

namespace gradus {

namespace {

using namespace op_parts;

std::vector<Value> infer_cast(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    bool known = false;
    for (const DType to : {DType::f32, DType::f64, DType::f16, DType::bf16}) known |= attributes[0] == static_cast<double>(to);
    expect(known && (is_floating(x.dtype) || x.dtype == DType::i32 || x.dtype == DType::boolean), "cast", tape, in,
           "a floating type, int32 or bool to be made a floating type");
    return {output(x.shape, static_cast<DType>(static_cast<int>(attributes[0])),
                   x.role == Role::data ? Role::data : Role::activation)};
}

void cast_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0], dy = tape.value(node.outputs[0]).gradient;
    if (tape.value(x).requires_grad) tape.contribute(x, ops::cast(), index, {dy}, {static_cast<double>(tape.value(x).dtype)});
}

} // namespace

namespace ops {

const Op& cast() {
    static const Op op{"cast", "cast", "y = x, rounded to another type", infer_cast, elementwise_cost<0>, cast_backward};
    return op;
}

} // namespace ops

std::span<const Op* const> cast_ops() {
    static const std::array<const Op*, 1> list{&ops::cast()};
    return list;
}

} // namespace gradus
