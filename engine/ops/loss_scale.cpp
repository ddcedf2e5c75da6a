#include "engine/ops/loss_scale.hpp"

#include "engine/ops/op_parts.hpp"

#include <array>

namespace gradus {

namespace {

using namespace op_parts;

std::vector<Value> infer_has_non_finite(const Tape& tape, Inputs in, const Attributes&) {
    bool good = !in.empty() && in.size() <= GRADUS_MAX_ARRAYS;
    for (const ValueIndex index : in) {
        const DType dtype = tape.value(index).dtype;
        good &= is_floating(dtype) || dtype == DType::boolean;
    }
    expect(good, "has_non_finite", tape, in, "one to eight tensors of floating types or boolean");
    return {output(Shape{}, DType::boolean, Role::metric)};
}

std::vector<Value> infer_unscale(const Tape& tape, Inputs in, const Attributes&) {
    const Value &gradient = tape.value(in[0]), &scale = tape.value(in[1]);
    expect(in.size() == 2 && scale.shape.rank() == 0 && scale.dtype == gradient.dtype && is_floating(scale.dtype), "unscale",
           tape, in, "a gradient and a scale, a scalar of its floating type");
    return {output(gradient.shape, gradient.dtype, Role::gradient)};
}

std::vector<Value> infer_update_loss_scale(const Tape& tape, Inputs in, const Attributes& attributes) {
    constexpr std::string_view op = "update_loss_scale";
    bool good = in.size() == 3;
    for (const ValueIndex index : in) good &= tape.value(index).shape.rank() == 0;
    expect(good && is_floating(tape.value(in[0]).dtype) && tape.value(in[1]).dtype == DType::i32 &&
               tape.value(in[2]).dtype == DType::boolean,
           op, tape, in, "scalars: a scale of a floating type, an int32 count and a boolean");
    if (!(attributes[0] >= 1)) throw ShapeError(fmt::format("{} expects a growth of at least 1, not {}", op, attributes[0]));
    if (!(attributes[1] > 0 && attributes[1] <= 1))
        throw ShapeError(fmt::format("{} expects a backoff above 0 and up to 1, not {}", op, attributes[1]));
    whole_number(op, "the interval", attributes[2], 1, Dim{1} << 31);
    return {output(Shape{}, tape.value(in[0]).dtype, Role::optimizer_state), output(Shape{}, DType::i32, Role::optimizer_state)};
}

} // namespace

namespace ops {

const Op& has_non_finite() {
    static const Op op{"has_non_finite", "has_non_finite",  "b = any x_i infinite or NaN",
                       infer_has_non_finite, reduction_cost<1>, nullptr};
    return op;
}
const Op& unscale() {
    static const Op op{"unscale", "unscale", "∂W / s", infer_unscale, elementwise_cost<1>, nullptr};
    return op;
}
const Op& update_loss_scale() {
    static const Op op{
        "update_loss_scale",     "update_loss_scale", "s ← s · backoff after an overflow, s · growth after n steps without",
        infer_update_loss_scale, elementwise_cost<1>, nullptr};
    return op;
}

} // namespace ops

std::span<const Op* const> loss_scale_ops() {
    static const std::array<const Op*, 3> list{&ops::has_non_finite(), &ops::unscale(), &ops::update_loss_scale()};
    return list;
}

} // namespace gradus
