// Ops that copy elements elsewhere, and the attributes of all layout ops.
#include "engine/ops/layout.hpp"

#include "engine/ops/layout_parts.hpp"
#include "engine/ops/op_parts.hpp"

namespace gradus {

namespace {

using namespace op_parts;
using namespace layout_parts;

std::vector<Value> infer_contiguous(const Tape& tape, Inputs in, const Attributes&) {
    const Value& x = tape.value(in[0]);
    return {output(x.shape, x.dtype, role_after(x))};
}

void contiguous_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0];
    if (tape.value(x).requires_grad) tape.share_gradient(x, index, tape.value(node.outputs[0]).gradient);
}

// --- concat and split ----------------------------------------------------------------------------------------

std::vector<Value> infer_concat(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Dim axis = whole(attributes, 0);
    expect(!in.empty() && in.size() <= GRADUS_MAX_ARRAYS, "concat", tape, in, "one to eight tensors");
    const Value& first = tape.value(in[0]);
    expect(axis >= 0 && axis < first.shape.rank(), "concat", tape, in, "an axis of its tensors");
    Dim size = 0;
    bool alike = true;
    for (const ValueIndex index : in) {
        const Value& x = tape.value(index);
        alike &= x.dtype == first.dtype && x.shape.rank() == first.shape.rank();
        for (int i = 0; alike && i < x.shape.rank(); ++i) alike &= i == axis || x.shape[i] == first.shape[i];
        if (alike) size += x.shape[static_cast<int>(axis)];
    }
    expect(alike, "concat", tape, in, "tensors of one type whose sizes differ along the axis alone");
    return {output(resized(first.shape, static_cast<int>(axis), size), first.dtype, role_after(first))};
}

// y is x1, x2, … one after the other, so each gradient is the slice of ∂y at its place.
void concat_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const int axis = static_cast<int>(node.call.attributes[0]);
    const ValueIndex dy = tape.value(node.outputs[0]).gradient;
    Dim from = 0;
    for (const ValueIndex x : node.inputs) {
        const Dim until = from + tape.value(x).shape[axis];
        if (tape.value(x).requires_grad) tape.contribute(x, ops::slice(), index, {dy}, slice_of(axis, from, until));
        from = until;
    }
}

std::vector<Value> infer_split(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const Dim axis = whole(attributes, 0), count = whole(attributes, 1);
    expect(axis >= 0 && axis < x.shape.rank() && count >= 1 && count <= GRADUS_MAX_ARRAYS, "split", tape, in,
           "an axis of its input and one to eight pieces");
    Dim left = x.shape[static_cast<int>(axis)];
    std::vector<Value> out;
    for (Dim i = 0; i < count; ++i) {
        const Dim size = whole(attributes, static_cast<int>(2 + i));
        expect(size >= 0 && size <= left, "split", tape, in, "pieces whose sizes sum up to the axis' size");
        left -= size;
        out.push_back(output(resized(x.shape, static_cast<int>(axis), size), x.dtype, role_after(x)));
    }
    expect(left == 0, "split", tape, in, "pieces whose sizes sum up to the axis' size");
    return out;
}

// ∂x is the pieces' gradients one after the other; zeros for a piece that the loss does not depend on.
void split_backward(Tape& tape, NodeIndex index) {
    const Node node = tape.node(index);
    const ValueIndex x = node.inputs[0];
    if (!tape.value(x).requires_grad) return;
    std::vector<ValueIndex> pieces;
    for (const ValueIndex y : node.outputs) pieces.push_back(tape.gradient_or_zeros(y));
    tape.contribute(x, ops::concat(), index, pieces, {node.call.attributes[0]});
}

std::vector<Value> infer_slice_backward(const Tape& tape, Inputs in, const Attributes& attributes) {
    const Value& x = tape.value(in[0]);
    const Dim axis = whole(attributes, 0), from = whole(attributes, 1), until = whole(attributes, 2), step = whole(attributes, 3),
              size = whole(attributes, 4);
    expect(axis >= 0 && axis < x.shape.rank() && step >= 1 && from >= 0 && from <= until && until <= size &&
               x.shape[static_cast<int>(axis)] == (until - from + step - 1) / step,
           "slice_backward", tape, in, "a slice, and the axis of which it is one");
    return {output(resized(x.shape, static_cast<int>(axis), size), x.dtype, Role::gradient)};
}

} // namespace

namespace ops {

const Op& contiguous() {
    static const Op op{"contiguous",     "contiguous",        "y = x, row by row in memory",
                       infer_contiguous, elementwise_cost<0>, contiguous_backward};
    return op;
}
const Op& concat() {
    static const Op op{"concat", "concat", "y = x_1, x_2, … along an axis", infer_concat, elementwise_cost<0>, concat_backward};
    return op;
}
const Op& split() {
    static const Op op{"split", "split", "y_1, y_2, … = x along an axis", infer_split, elementwise_cost<0>, split_backward};
    return op;
}
const Op& slice_backward() {
    static const Op op{"slice_backward",     "slice_backward",    "∂x_(from + i · step) = ∂y_i, else 0",
                       infer_slice_backward, elementwise_cost<0>, nullptr};
    return op;
}

} // namespace ops

std::span<const Op* const> layout_ops() {
    static const std::array<const Op*, 9> list{&ops::reshape(), &ops::transpose(), &ops::permute(),
                                               &ops::slice(),   &ops::expand(),    &ops::contiguous(),
                                               &ops::concat(),  &ops::split(),     &ops::slice_backward()};
    return list;
}

// --- attributes ----------------------------------------------------------------------------------------------

Attributes reshape_to(std::initializer_list<Dim> sizes) {
    if (sizes.size() > Shape::max_rank)
        throw ShapeError(fmt::format("a tensor has at most {} axes, not {}", Shape::max_rank, sizes.size()));
    Attributes out{static_cast<double>(sizes.size())};
    std::transform(sizes.begin(), sizes.end(), out.begin() + 1, [](Dim size) { return static_cast<double>(size); });
    return out;
}

Attributes reshape_to(const Shape& shape) {
    Attributes out{static_cast<double>(shape.rank())};
    for (int axis = 0; axis < shape.rank(); ++axis) out[static_cast<std::size_t>(1 + axis)] = static_cast<double>(shape[axis]);
    return out;
}

Attributes permute_to(std::initializer_list<int> axes) {
    if (axes.size() > Shape::max_rank)
        throw ShapeError(fmt::format("a tensor has at most {} axes, not {}", Shape::max_rank, axes.size()));
    Attributes out{static_cast<double>(axes.size())};
    std::copy(axes.begin(), axes.end(), out.begin() + 1);
    return out;
}

Attributes slice_of(int axis, Dim from, Dim until, Dim step) {
    return {static_cast<double>(axis), static_cast<double>(from), static_cast<double>(until), static_cast<double>(step)};
}

Attributes split_into(int axis, std::initializer_list<Dim> sizes) {
    if (sizes.size() > GRADUS_MAX_ARRAYS)
        throw ShapeError(fmt::format("split gives at most {} pieces, not {}", GRADUS_MAX_ARRAYS, sizes.size()));
    Attributes out{static_cast<double>(axis), static_cast<double>(sizes.size())};
    std::transform(sizes.begin(), sizes.end(), out.begin() + 2, [](Dim size) { return static_cast<double>(size); });
    return out;
}

Attributes squeeze(const Shape& shape, int axis) {
    if (axis < 0 || axis >= shape.rank() || shape[axis] != 1)
        throw ShapeError(fmt::format("axis {} of {} is none of size 1, so it cannot be taken away", axis, shape.text()));
    Shape out;
    for (int i = 0; i < shape.rank(); ++i)
        if (i != axis) out.append({shape[i], {}});
    return reshape_to(out);
}

Attributes unsqueeze(const Shape& shape, int axis) {
    if (axis < 0 || axis > shape.rank()) throw ShapeError(fmt::format("{} has no place {} for another axis", shape.text(), axis));
    Shape out;
    for (int i = 0; i <= shape.rank(); ++i) {
        if (i == axis) out.append({1, {}});
        if (i < shape.rank()) out.append({shape[i], {}});
    }
    return reshape_to(out);
}

} // namespace gradus
