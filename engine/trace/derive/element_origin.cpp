#include "engine/trace/derive/element_origin.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/tape_trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace gradus {

namespace {

/// An operand's element along the summed axis: position n stands on `summed`, the other axis is fixed.
struct Operand {
    Tensor tensor;
    int summed = 0;
    Dim fixed = 0;
    double at(Dim n) const { return summed == 0 ? tensor.at(n, fixed) : tensor.at(fixed, n); }
    Dim terms() const { return tensor.shape()[summed]; }
    bool fits() const {
        return tensor.defined() && tensor.shape().rank() == 2 && fixed >= 0 && fixed < tensor.shape()[1 - summed];
    }
    std::vector<Dim> index() const {
        return summed == 0 ? std::vector<Dim>{-1, fixed} : std::vector<Dim>{fixed, -1};
    }
};

/// Of the iteration's tensors; a constant lies in the setup's.
Tensor operand_of(const Run& run, const EventSite& site, std::size_t i, StepIndex iteration) {
    const TensorId id = input_of(run, site, i, iteration);
    for (const StepIndex from : {iteration, id.event.iteration})
        if (const auto tensors = run.tensors_of(from))
            if (const RecordedTensor* found = tensors->find(id)) return found->tensor;
    return {};
}

bool is_elementwise(std::string_view op) {
    static constexpr std::array names{"add_bias", "relu", "tanh", "sigmoid", "gelu", "silu", "step", "multiply", "add", "sgd", "momentum",
                                      "relu_backward", "tanh_backward", "sigmoid_backward", "gelu_backward", "silu_backward", "step_backward",
                                      "softmax_cross_entropy_backward", "binary_cross_entropy_backward", "mean_squared_error_backward"};
    return std::find(names.begin(), names.end(), op) != names.end();
}

/// The axis of a product's operand that the site's formula sums: the columns of A_ik, the rows of A_ki.
int summed_axis(const EventSite& site, const char* operand) {
    const std::size_t at = site.formula.find(operand);
    return at != std::string::npos && site.formula.substr(at + 2, 1) == "k" ? 0 : 1;
}

} // namespace

const EventSite* site_of(const Run& run, TensorId id) {
    if (!id.valid() || id.event.ordinal >= first_edit_ordinal) return nullptr;
    const bool setup = id.event.iteration < 0;
    for (const Run* at = &run; at; at = at->parent().get())
        for (std::size_t i = 0; i < at->sites().size(); ++i) {
            const EventSite& site = at->sites()[i];
            if (site.ordinal == id.event.ordinal && (site.module == "setup") == setup && site.level == Level::op)
                return &site;
        }
    return nullptr;
}

std::optional<ElementSum> sum_behind(const Run& run, const EventSite& site, StepIndex iteration,
                                     std::span<const Dim> index, std::size_t keep) {
    std::vector<Tensor> operands;
    for (std::size_t i = 0; i < site.inputs.size(); ++i) operands.push_back(operand_of(run, site, i, iteration));
    return sum_behind(site, operands, index, keep);
}

std::optional<ElementSum> sum_behind(const EventSite& site, std::span<const Tensor> operands, std::span<const Dim> index,
                                     std::size_t keep) {
    const bool product = site.name == "matmul" && site.inputs.size() == 2 && index.size() == 2;
    const bool rows = site.name == "sum_rows" && site.inputs.size() == 1 && index.size() == 1;
    if ((!product && !rows) || site.outputs.empty()) return std::nullopt;
    const Shape& shape = site.outputs[0].shape;
    for (std::size_t i = 0; i < index.size(); ++i)
        if (static_cast<int>(index.size()) != shape.rank() || index[i] < 0 || index[i] >= shape[static_cast<int>(i)])
            return std::nullopt;
    ElementSum out;
    out.left = site.inputs[0].name;
    if (rows) {
        const Operand x{operands[0], 0, index[0]};
        out.left_index = x.index();
        if (!x.fits()) return out;
        out.axis = x.tensor.shape().name(0).view();
        out.terms = x.terms();
        for (Dim n = 0; n < out.terms; ++n) out.largest.push_back({n, x.at(n), 1});
    } else {
        out.right = site.inputs[1].name;
        const Operand a{operands[0], summed_axis(site, "A_"), index[0]};
        const Operand b{operands[1], summed_axis(site, "B_"), index[1]};
        // A recording from before formulas named transposed operands does not say which one a gradient's product has.
        if (site.forward >= 0 && a.summed == 1 && b.summed == 0) return std::nullopt;
        out.left_index = a.index();
        out.right_index = b.index();
        if (!a.fits() || !b.fits() || a.terms() != b.terms()) return out;
        out.axis = a.tensor.shape().name(a.summed).view();
        out.terms = a.terms();
        for (Dim n = 0; n < out.terms; ++n) out.largest.push_back({n, a.at(n), b.at(n)});
    }
    const auto size = [](const ElementTerm& term) { // what is not finite decides the sum: it comes first
        return std::isfinite(term.product()) ? std::abs(term.product()) : INFINITY;
    };
    const auto kept = static_cast<std::ptrdiff_t>(std::min(keep, out.largest.size()));
    std::partial_sort(out.largest.begin(), out.largest.begin() + kept, out.largest.end(),
                      [&](const ElementTerm& x, const ElementTerm& y) {
                          return size(x) != size(y) ? size(x) > size(y) : x.at < y.at;
                      });
    out.largest.resize(static_cast<std::size_t>(kept));
    return out;
}

std::vector<ElementOperand> operands_behind(const Run& run, const EventSite& site, StepIndex iteration,
                                            std::span<const Dim> index) {
    if (!is_elementwise(site.name) || site.outputs.empty() || !place_of(site.outputs[0].shape, index)) return {};
    std::vector<ElementOperand> out;
    for (std::size_t i = 0; i < site.inputs.size(); ++i) {
        const bool column = site.name == "add_bias" && i == 1, label = site.name == "softmax_cross_entropy_backward" && i == 1;
        ElementOperand& one = out.emplace_back(ElementOperand{site.inputs[i].name, {index.begin(), index.end()}, {}});
        if (column) one.index.assign(index.end() - 1, index.end());
        const Tensor operand = operand_of(run, site, i, iteration);
        if (!operand.defined()) continue;
        const auto place = place_of(operand.shape(), label ? index.first(1) : std::span<const Dim>(one.index));
        if (!place) continue;
        const double value = operand.at(*place);
        one.value = !label ? value : static_cast<Dim>(value) == index[1] ? 1 : 0;
    }
    return out;
}

std::optional<double> local_derivative(std::string_view op, double read) {
    constexpr double one_by_root_two = 0.70710678118654752440, one_by_root_two_pi = 0.39894228040143267794;
    if (op == "relu_backward") return read > 0 ? 1 : 0;
    if (op == "tanh_backward") return 1 - read * read;
    if (op == "sigmoid_backward") return read * (1 - read);
    if (op == "gelu_backward")
        return 0.5 * std::erfc(-read * one_by_root_two) + read * one_by_root_two_pi * std::exp(-read * read / 2);
    if (op == "silu_backward") {
        const double sigmoid = 1 / (1 + std::exp(-read));
        return sigmoid * (1 + read * (1 - sigmoid));
    }
    if (op == "step_backward") return 0;
    return std::nullopt;
}

} // namespace gradus
