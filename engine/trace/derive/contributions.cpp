#include "engine/trace/derive/contributions.hpp"

#include "engine/core/element_index.hpp"
#include "engine/trace/derive/activation_curve.hpp"
#include "engine/trace/derive/element_origin.hpp"
#include "engine/trace/tape_trace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gradus {

namespace {

using Index = std::span<const Dim>;

/// How near to what the iteration computed: the chain follows the computation, then the data, then what was learned.
int rank_of(Role role) {
    switch (role) {
    case Role::activation:
    case Role::gradient:
    case Role::loss:
    case Role::metric: return 0;
    case Role::data: return 1;
    case Role::parameter:
    case Role::optimizer_state: return 2;
    }
    return 2;
}

/// One op's element, its operands at hand.
struct Maker {
    IterationSource& source;
    const EventSite& site;
    Index element;
    std::vector<const RecordedTensor*> in;
    std::vector<Contribution> out;

    const Tensor& x(std::size_t i) const { return in[i]->tensor; }
    double value(std::size_t i, Index index) const { return x(i).at(*place_of(x(i).shape(), index)); }
    bool fits(std::size_t i, Index index) const { return place_of(x(i).shape(), index).has_value(); }

    void add(const RecordedTensor* from, Index index, double part) {
        const auto place = place_of(from->tensor.shape(), index);
        if (!place) return;
        out.push_back({from, {index.begin(), index.end()}, from->tensor.at(*place), part});
    }
    void product(std::size_t left, Index left_index, std::size_t right, Index right_index, double scale = 1) {
        if (!fits(left, left_index) || !fits(right, right_index)) return;
        const double a = value(left, left_index), b = value(right, right_index);
        const bool follow_right = std::isfinite(a) != std::isfinite(b) ? std::isfinite(a)
                                                                       : rank_of(in[right]->role) < rank_of(in[left]->role);
        Contribution term;
        term.part = scale * a * b;
        const auto take = [&](std::size_t i, Index index, double v) {
            term.from = in[i];
            term.element.assign(index.begin(), index.end());
            term.value = v;
        };
        take(follow_right ? right : left, follow_right ? right_index : left_index, follow_right ? b : a);
        const Index other = follow_right ? left_index : right_index;
        term.partner = in[follow_right ? left : right]->name;
        term.partner_element.assign(other.begin(), other.end());
        term.partner_value = follow_right ? a : b;
        out.push_back(std::move(term));
    }

    void sum();
    void softmax_row(const Tensor& z);
    void loss();
    void make(int output);
};

/// A matrix product or a sum over rows.
void Maker::sum() {
    std::vector<Tensor> operands;
    for (const RecordedTensor* one : in) operands.push_back(one->tensor);
    const auto terms = sum_behind(site, operands, element, std::numeric_limits<std::size_t>::max());
    if (!terms) return;
    const auto place = [](std::vector<Dim> index, Dim at) {
        std::replace(index.begin(), index.end(), Dim{-1}, at);
        return index;
    };
    for (const ElementTerm& term : terms->largest) {
        if (in.size() > 1) product(0, place(terms->left_index, term.at), 1, place(terms->right_index, term.at));
        else add(in[0], place(terms->left_index, term.at), term.left);
    }
}

/// p_ij = e^(z_ij) / Σ_k e^(z_ik): each logit by its share of the sum.
void Maker::softmax_row(const Tensor& z) {
    if (element.size() != 2) return;
    const Dim row = element[0], columns = z.shape()[1];
    double greatest = -INFINITY, total = 0;
    for (Dim k = 0; k < columns; ++k) greatest = std::max(greatest, z.at(row, k));
    for (Dim k = 0; k < columns; ++k) total += std::exp(z.at(row, k) - greatest);
    for (Dim k = 0; k < columns; ++k) add(in[0], std::vector<Dim>{row, k}, std::exp(z.at(row, k) - greatest) / total);
}

/// A mean over examples.
void Maker::loss() {
    const Tensor &z = x(0), &y = x(1);
    const RecordedTensor* p = nullptr; // the op's own first output
    if (site.outputs.size() > 1 && source.tensors) p = source.tensors->find(TensorId{{source.iteration, site.ordinal}, 0});
    if (site.name == "quadratic") {
        for (Dim i = 0; i < z.elements(); ++i) {
            const auto index = index_of(z.shape(), i);
            add(in[0], index, 0.5 * y.at(i) * z.at(i) * z.at(i));
            if (out.empty()) continue;
            out.back().partner = in[1]->name; // the curvature a
            out.back().partner_element = index_of(y.shape(), i);
            out.back().partner_value = y.at(i);
        }
        return;
    }
    if (site.name == "softmax_cross_entropy" || site.name == "cross_entropy") {
        const auto count = static_cast<double>(z.shape()[0]);
        for (Dim i = 0; i < z.shape()[0]; ++i) {
            const std::vector<Dim> label{i, static_cast<Dim>(y.at(i))};
            if (!place_of(z.shape(), label)) continue;
            double bits = 0; // -ln p of the label
            if (site.name == "cross_entropy") {
                bits = -std::log(value(0, label));
            } else {
                double greatest = -INFINITY, total = 0;
                for (Dim k = 0; k < z.shape()[1]; ++k) greatest = std::max(greatest, z.at(i, k));
                for (Dim k = 0; k < z.shape()[1]; ++k) total += std::exp(z.at(i, k) - greatest);
                bits = greatest + std::log(total) - value(0, label);
            }
            add(p ? p : in[0], label, bits / count);
        }
        return;
    }
    const auto count = static_cast<double>(z.elements());
    for (Dim i = 0; i < z.elements(); ++i) {
        const double t = y.at(i), v = z.at(i);
        // softplus, so that a p of exactly 0 or 1 does no harm: -ln σ(v) = ln(1 + e^-v)
        const double part = site.name == "mean_squared_error" ? (v - t) * (v - t)
                                                              : std::max(v, 0.0) - v * t + std::log1p(std::exp(-std::abs(v)));
        add(p ? p : in[0], index_of(z.shape(), i), part / count);
    }
}

void Maker::make(int output) {
    const std::string& op = site.name;
    const bool scalar = site.outputs[static_cast<std::size_t>(output)].shape.rank() == 0;
    if (op == "matmul" || op == "sum_rows") return sum();
    if (op == "softmax_cross_entropy" || op == "binary_cross_entropy" || op == "mean_squared_error" ||
        op == "cross_entropy" || op == "quadratic") {
        if (scalar) return loss();
        if (op == "softmax_cross_entropy") return softmax_row(x(0));
        return add(in[0], element, 1); // p = σ(z)
    }
    if (op == "softmax") return softmax_row(x(0));
    if (!fits(0, element) && op != "gather") return;
    if (op == "add_bias") {
        add(in[0], element, value(0, element));
        const Index column = element.last(1);
        if (fits(1, column)) add(in[1], column, value(1, column));
    } else if (op == "gather") {
        std::vector<Dim> row(element.begin(), element.end());
        row[0] = static_cast<Dim>(x(1).at(element[0]));
        add(in[0], row, 1);
    } else if (op == "multiply") {
        product(0, element, 1, element);
    } else if (is_activation(op)) {
        add(in[0], element, 1);
    } else if (op == "relu_backward" || op == "tanh_backward" || op == "sigmoid_backward" || op == "gelu_backward" ||
               op == "silu_backward") {
        if (!std::isfinite(value(0, element))) add(in[0], element, 1); // what it saved broke it
        add(in[1], element, 1);
    } else if (op == "step_backward") { // 0, whatever arrives
        if (!std::isfinite(value(0, element))) add(in[0], element, 1);
    } else if (op == "softmax_cross_entropy_backward") { // (p - y) / B
        const auto count = static_cast<double>(x(0).shape()[0]);
        add(in[0], element, value(0, element) / count);
        if (static_cast<Dim>(x(1).at(element[0])) == element[1]) add(in[1], element.first(1), -1 / count);
    } else if (op == "binary_cross_entropy_backward" || op == "mean_squared_error_backward") {
        const double scale = (op[0] == 'm' ? 2.0 : 1.0) / static_cast<double>(x(0).elements());
        add(in[0], element, scale * value(0, element));
        add(in[1], element, -scale * value(1, element));
    } else if (op == "cross_entropy_backward" || op == "softmax_backward") {
        add(in[0], element, 1);
    } else if (op == "add") {
        add(in[0], element, value(0, element));
        add(in[1], element, value(1, element));
    } else if (op == "sgd" || op == "momentum") { // the rate is no part of the site: what was added says it
        const RecordedTensor* after = source.tensors->find(TensorId{{source.iteration, site.ordinal}, output});
        const std::size_t before = output == 0 ? 0 : 2; // W, or the velocity
        if (!after || before >= in.size()) return;
        const double now = after->tensor.at(*place_of(after->tensor.shape(), element)), then = value(before, element);
        const double gradient = value(1, element);
        add(in[before], element, output == 0 ? then : now - gradient);
        add(in[1], element, output == 0 ? now - then : gradient);
    }
}

} // namespace

bool Contribution::finite() const { return std::isfinite(value) && std::isfinite(partner_value); }

const RecordedTensor* IterationSource::input(const EventSite& site, std::size_t i) {
    if (!tensors) return nullptr;
    const TensorId id = input_of(run, site, i, iteration);
    if (const RecordedTensor* found = tensors->find(id)) return found->tensor.defined() ? found : nullptr;
    for (const auto& known : borrowed_)
        if (known->id == id) return known.get();
    TensorAnswer answer = origin.tensor(id);
    if (answer.state != TensorAnswer::State::present || !answer.tensor.tensor.defined()) return nullptr;
    borrowed_.push_back(std::make_unique<RecordedTensor>(std::move(answer.tensor)));
    return borrowed_.back().get();
}

std::vector<Contribution> contributions(IterationSource& source, const EventSite& site, int output,
                                        std::span<const Dim> element) {
    if (!source.tensors || output < 0 || static_cast<std::size_t>(output) >= site.outputs.size() ||
        !place_of(site.outputs[static_cast<std::size_t>(output)].shape, element))
        return {};
    Maker maker{source, site, element, {}, {}};
    for (std::size_t i = 0; i < site.inputs.size(); ++i) {
        maker.in.push_back(source.input(site, i));
        if (!maker.in.back()) return {};
    }
    if (maker.in.empty()) return {};
    maker.make(output);
    return std::move(maker.out);
}

} // namespace gradus
