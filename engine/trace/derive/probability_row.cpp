#include "engine/trace/derive/probability_row.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace gradus {

namespace {

/// The state an iteration began with stands before what its events wrote.
const RecordedTensor* first_named(const IterationTensors& tensors, std::string_view name) {
    const auto at = std::find_if(tensors.tensors.begin(), tensors.tensors.end(), [&](const RecordedTensor& t) { return t.name == name; });
    return at == tensors.tensors.end() ? nullptr : &*at;
}

/// What the iteration itself wrote last under that name.
const RecordedTensor* last_written(const IterationTensors& tensors, std::string_view name, StepIndex iteration) {
    const auto at = std::find_if(tensors.tensors.rbegin(), tensors.tensors.rend(),
                                 [&](const RecordedTensor& t) { return t.name == name && t.id.event.iteration == iteration; });
    return at == tensors.tensors.rend() ? nullptr : &*at;
}

/// The first row; empty unless the tensor is kept and has rows of `columns` entries (0: any number).
std::vector<double> row_of(const RecordedTensor* recorded, Dim columns) {
    std::vector<double> out;
    if (!recorded || !recorded->tensor.defined() || recorded->tensor.shape().rank() != 2 || recorded->tensor.shape()[0] < 1) return out;
    const Dim own = recorded->tensor.shape()[1];
    if (columns > 0 && own != columns) return out;
    for (Dim i = 0; i < own; ++i) out.push_back(recorded->tensor.at(Dim{0}, i));
    return out;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

} // namespace

int ProbabilityRow::label() const {
    const auto right = std::max_element(y.begin(), y.end());
    return right == y.end() ? -1 : static_cast<int>(right - y.begin());
}

bool ProbabilityRow::same_numbers(const ProbabilityRow& other) const {
    return iteration == other.iteration && missing == other.missing && same(z, other.z) && same(p, other.p) && same(y, other.y) &&
           same(dz, other.dz) && same(dp, other.dp) && same(next_z, other.next_z) &&
           same({loss.value_or(0)}, {other.loss.value_or(0)}) && loss.has_value() == other.loss.has_value();
}

ProbabilityRow probability_row(const Run& full, StepIndex iteration) {
    ProbabilityRow out;
    out.iteration = iteration;
    const auto tensors = full.tensors_of(iteration), constants = full.tensors_of(-1);
    if (!tensors) {
        out.missing = ProbabilityRow::Missing::kept;
        return out;
    }
    const auto fed = [&](std::string_view name) {
        const RecordedTensor* found = tensors->find(name);
        return found || !constants ? found : constants->find(name);
    };
    const RecordedTensor *z = first_named(*tensors, "z"), *p = tensors->find("p");
    out.z = row_of(z, 0);
    const auto columns = static_cast<Dim>(out.z.size());
    if (columns > 0) out.p = row_of(p, columns);
    if (out.p.empty()) {
        out.z.clear();
        out.missing = ProbabilityRow::Missing::row;
        return out;
    }
    out.made_z = z->id.event;
    out.made_p = p->id.event;
    out.y = row_of(fed("y"), columns);
    const RecordedTensor* label = fed("label");
    if (out.y.empty() && label && label->tensor.defined() && label->tensor.elements() > 0) {
        const auto right = static_cast<Dim>(label->tensor.at(0));
        if (right >= 0 && right < columns) {
            out.y.assign(static_cast<std::size_t>(columns), 0.0);
            out.y[static_cast<std::size_t>(right)] = 1;
        }
    }
    out.dz = row_of(tensors->find("dz"), columns);
    out.dp = row_of(tensors->find("dp"), columns);
    const RecordedTensor* loss = tensors->find("loss");
    if (loss && loss->tensor.defined() && loss->tensor.elements() == 1) out.loss = loss->tensor.at(0);
    if (!out.dz.empty()) out.made_dz = tensors->find("dz")->id.event;
    if (const RecordedTensor* next = last_written(*tensors, "z", iteration); next && next != z && out.made_p < next->id.event) {
        out.next_z = row_of(next, columns);
        out.made_next_z = next->id.event;
    }
    return out;
}

SoftmaxTerm softmax_term(const std::vector<double>& z, std::size_t i) {
    SoftmaxTerm out;
    out.largest = *std::max_element(z.begin(), z.end());
    for (const double logit : z) out.below += std::exp(logit - out.largest);
    out.above = std::exp(z[i] - out.largest);
    return out;
}

std::vector<double> softmax_of(const std::vector<double>& z) {
    std::vector<double> out;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const SoftmaxTerm term = softmax_term(z, i);
        out.push_back(term.above / term.below);
    }
    return out;
}

double arrow_length(const ProbabilityRow& row) {
    double sum = 0;
    for (const double gradient : row.dz) sum += gradient * gradient;
    return std::sqrt(sum);
}

std::vector<double> logit_step(const ProbabilityRow& row, double lr) {
    std::vector<double> out;
    for (const double gradient : row.dz) out.push_back(-lr * gradient);
    return out;
}

std::vector<std::array<double, 3>> probability_path(const Run& run, StepIndex last, std::size_t most) {
    std::vector<std::array<double, 3>> out;
    if (last < 0 || most < 2) return out;
    const StepIndex stride = std::max<StepIndex>(1, (last + static_cast<StepIndex>(most) - 2) / (static_cast<StepIndex>(most) - 1));
    for (StepIndex back = last / stride * stride; back >= 0; back -= stride) {
        const StepIndex at = last - back;
        const auto p0 = run.value_at("p0", at), p1 = run.value_at("p1", at), p2 = run.value_at("p2", at);
        if (p0 && p1 && p2) out.push_back({*p0, *p1, *p2});
    }
    return out;
}

} // namespace gradus
