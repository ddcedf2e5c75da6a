#include "engine/trace/derive/folded_matrix.hpp"

#include "engine/core/error.hpp"
#include "engine/ops/ops.hpp"
#include "engine/trace/derive/run_device.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// The state an iteration began with stands before what its events wrote, so the first of a name is what was read.
Tensor first_of(const IterationTensors* tensors, const std::string& name) {
    for (std::size_t i = 0; tensors && i < tensors->tensors.size(); ++i)
        if (tensors->tensors[i].name == name && tensors->tensors[i].tensor.defined()) return tensors->tensors[i].tensor;
    return {};
}

/// So many rows of `shape`'s width, each a copy of the numbers in row 0.
Tensor repeated(BufferPool& pool, const Tensor& from, Dim rows) {
    const Dim width = from.shape()[from.shape().rank() - 1];
    const auto make = [&]<class T>(T) {
        std::vector<T> values(static_cast<std::size_t>(rows * width));
        for (Dim i = 0; i < rows * width; ++i) values[static_cast<std::size_t>(i)] = static_cast<T>(from.at(i % width));
        return Tensor::from<T>(pool, Shape{{rows, "in"}, {width, "out"}}, values);
    };
    return from.dtype() == DType::f64 ? make(double{}) : make(float{});
}

/// One op after the other, on a tape of their own.
class Folder {
public:
    explicit Folder(const std::shared_ptr<Device>& device) : tape_(device, std::make_shared<BufferPool>()) {}

    Tensor apply(const Op& op, const Tensor& a, const Tensor& b) {
        const std::string name = std::to_string(tape_.values().size());
        const ValueIndex left = tape_.input(name + " a", a, Role::data), right = tape_.input(name + " b", b, Role::data);
        const NodeIndex node = tape_.apply(op, Phase::forward, "fold", {left, right}, {name});
        tape_.execute(node);
        return tape_.tensor(tape_.node(node).outputs[0]);
    }
    BufferPool& pool() { return tape_.pool(); }

private:
    Tape tape_;
};

/// The matrix and the bias so far; `step` comes after them.
void fold_in(FoldedMatrix& out, const ChainStep& step, const Tensor& operand, Folder& folder) {
    const auto add_rows = [&](const Tensor& rows) { out.bias = out.bias.defined() ? folder.apply(ops::add(), out.bias, rows) : rows; };
    switch (step.kind) {
    case ChainStep::Kind::matrix:
    case ChainStep::Kind::shuffle:
        out.matrix = out.matrix.defined() ? folder.apply(ops::matmul(), out.matrix, operand) : operand;
        if (out.bias.defined()) out.bias = folder.apply(ops::matmul(), out.bias, operand);
        return;
    case ChainStep::Kind::bias: return add_rows(repeated(folder.pool(), operand, 1));
    case ChainStep::Kind::scale:
        if (out.matrix.defined()) out.matrix = folder.apply(ops::multiply(), out.matrix, repeated(folder.pool(), operand, out.matrix.shape()[0]));
        if (out.bias.defined()) out.bias = folder.apply(ops::multiply(), out.bias, repeated(folder.pool(), operand, 1));
        return;
    case ChainStep::Kind::nonlinear: // it changed no number, or it would part the group
    case ChainStep::Kind::other: return;
    }
}

double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0;
    for (Dim i = 0; i < a.elements(); ++i) {
        const double difference = std::abs(a.at(i) - b.at(i));
        if (!(difference <= largest)) largest = difference; // a NaN shows
    }
    return largest;
}

} // namespace

Tensor operand_of(const ChainStep& step, const Run& run, const Run& origin, StepIndex iteration) {
    if (step.operand.empty()) return {};
    const auto tensors = run.tensors_of(iteration);
    Tensor found = first_of(tensors.get(), step.operand);
    for (const Run* each = &origin; each && !found.defined(); each = each->parent().get())
        found = first_of(each->tensors_of(-1).get(), step.operand);
    return found;
}

std::vector<std::optional<FoldedMatrix>> folded_matrices(const std::vector<ChainStep>& chain, const LegalFolds& folds, const Run& run,
                                                         const Run& origin, StepIndex iteration, const std::atomic<bool>* outdated) {
    const std::shared_ptr<Device> device = run_device(origin.manifest().isa);
    const auto tensors = run.tensors_of(iteration);
    const auto folded = [&](const FoldGroup& group) -> std::optional<FoldedMatrix> {
        Folder folder(device);
        FoldedMatrix out;
        for (std::size_t i = group.first; i <= group.last; ++i) {
            if (outdated && *outdated) return std::nullopt;
            if (!chain[i].is_linear()) continue;
            const Tensor operand = operand_of(chain[i], run, origin, iteration);
            if (!operand.defined()) return std::nullopt;
            fold_in(out, chain[i], operand, folder);
        }
        const Tensor before = first_of(tensors.get(), chain[group.first].input), after = first_of(tensors.get(), chain[group.last].output);
        if (!before.defined() || !after.defined() || !out.matrix.defined()) return std::nullopt;
        Tensor y = folder.apply(ops::matmul(), before, out.matrix);
        if (out.bias.defined()) y = folder.apply(ops::add(), y, repeated(folder.pool(), out.bias, y.shape()[0]));
        out.largest_difference = largest_difference(y, after);
        return out;
    };
    std::vector<std::optional<FoldedMatrix>> out;
    for (const FoldGroup& group : folds.groups) {
        try {
            out.push_back(folded(group));
        } catch (const Error&) { // a transposed operand: an attribute that the site does not keep
            out.push_back(std::nullopt);
        }
        if (outdated && *outdated) return {};
    }
    return out;
}

} // namespace gradus
