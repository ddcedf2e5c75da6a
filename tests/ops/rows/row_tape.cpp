#include "tests/ops/rows/row_tape.hpp"

#include "engine/ops/ops.hpp"
#include "tests/ops/rows/inputs.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace gradus::test {

namespace {

const Op& op_called(const std::string& name) {
    for (const Op* op : all_ops())
        if (op->name == name) return *op;
    throw std::runtime_error("all_ops() has no op " + name);
}

/// The input as a value of the tape. An expanded one is a view of the slice it repeats.
ValueIndex put_input(Tape& tape, const OpRow& row, std::size_t i, DType dtype, bool contiguous) {
    const RowInput& input = row.inputs[i];
    const bool expanded = input.layout == "expanded" && !contiguous;
    const ValueIndex value = tape.input(expanded ? input.name + "0" : input.name, input_of(row, i, dtype, contiguous),
                                        Role::data, input.grad);
    if (!expanded) return value;
    return tape.node(tape.apply(ops::expand(), Phase::forward, "row", {value}, {input.name}, reshape_to(input.shape)))
        .outputs[0];
}

} // namespace

RowTape written(const OpRow& row, DType dtype, const std::shared_ptr<Device>& device, bool contiguous) {
    RowTape out{Tape(device, std::make_shared<BufferPool>()), {}, {}, {}};
    Tape& tape = out.tape;
    const Op& op = op_called(row.op);
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
        out.inputs.push_back(put_input(tape, row, i, dtype, contiguous));
    std::vector<std::string> names;
    for (const RowOutput& output : row.outputs) names.push_back(output.name);
    Attributes attributes{};
    for (std::size_t i = 0; i < row.attributes.size(); ++i) attributes[i] = attribute_of(row.attributes[i], dtype);
    out.outputs = tape.node(tape.apply(op, Phase::forward, "row", out.inputs, names, attributes)).outputs;
    std::vector<ValueIndex> seeded, upstream;
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        if (!row.outputs[i].grad) continue;
        if (row.upstream_is_one) tape.backward(out.outputs[i]);
        seeded.push_back(out.outputs[i]);
        upstream.push_back(tape.input(
            "g" + std::to_string(i),
            laid_out(upstream_of(row, i), row.outputs[i].shape, tape.value(out.outputs[i]).dtype, "contiguous"),
            Role::gradient));
    }
    if (!row.upstream_is_one && !seeded.empty()) tape.backward_from(seeded, upstream);
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
        out.gradients.push_back(row.inputs[i].grad ? tape.value(out.inputs[i]).gradient : no_value);
    return out;
}

void execute(RowTape& row) {
    Tape& tape = row.tape;
    for (const Node& node : tape.nodes())
        for (const ValueIndex output : node.outputs)
            if (const Value& value = tape.value(output); value.view_of == no_value)
                std::memset(tape.writable(output), 0xff,
                            static_cast<std::size_t>(value.shape.elements()) * size_of(value.dtype));
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(tape.nodes().size()); ++node) tape.execute(node);
}

void execute_forward(RowTape& row) {
    for (NodeIndex node = 0; node < static_cast<NodeIndex>(row.tape.nodes().size()); ++node)
        if (row.tape.node(node).phase == Phase::forward) row.tape.execute(node);
}

std::vector<RowResult> results_of(const OpRow& row, const RowTape& tape, DType dtype) {
    std::vector<RowResult> out;
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
        out.push_back({row.outputs[i].name, tape.outputs[i], false, dtype_of_word(row.outputs[i].type, dtype),
                       row.outputs[i].shape});
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
        if (row.inputs[i].grad)
            out.push_back({"d" + row.inputs[i].name, tape.gradients[i], true, dtype, row.inputs[i].shape});
    return out;
}

} // namespace gradus::test
