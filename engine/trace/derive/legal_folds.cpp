#include "engine/trace/derive/legal_folds.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace gradus {

namespace {

constexpr std::array<std::string_view, 4> nonlinear{"relu", "tanh", "sigmoid", "gelu"};

std::vector<const EventSite*> forward_ops(const Run& run) {
    std::vector<const EventSite*> out;
    for (std::size_t i = 0; i < run.sites().size(); ++i)
        if (run.sites()[i].level == Level::op && run.sites()[i].phase == Phase::forward) out.push_back(&run.sites()[i]);
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->ordinal < b->ordinal; });
    return out;
}

/// What each tensor is that the setup wrote. A branch has the sites of its parent's setup from there.
std::map<std::string, Role> setup_roles(const Run& run) {
    std::map<std::string, Role> out;
    for (const Run* each = &run; each; each = each->parent().get())
        for (std::size_t i = 0; i < each->sites().size(); ++i)
            if (each->sites()[i].module == "setup")
                for (const OutputInfo& output : each->sites()[i].outputs) out.emplace(output.name, output.role);
    return out;
}

/// Rows of a matrix that are all alike: multiplying by them is a diagonal matrix, which does not depend on the row.
bool rows_alike(const Run& run, const std::string& name) {
    for (const Run* each = &run; each; each = each->parent().get()) {
        const auto setup = each->tensors_of(-1);
        const RecordedTensor* found = setup ? setup->find(name) : nullptr;
        if (!found || !found->tensor.defined()) continue;
        const Tensor& tensor = found->tensor;
        if (tensor.shape().rank() != 2) return false;
        const Dim columns = tensor.shape()[1];
        for (Dim i = columns; i < tensor.elements(); ++i)
            if (tensor.at(i) != tensor.at(i % columns)) return false;
        return true;
    }
    return false;
}

ChainStep::Kind kind_of(const EventSite& site, const std::string& operand, const std::map<std::string, Role>& roles, const Run& run) {
    const auto role = roles.find(operand);
    const bool parameter = role != roles.end() && role->second == Role::parameter;
    if (std::find(nonlinear.begin(), nonlinear.end(), site.name) != nonlinear.end()) return ChainStep::Kind::nonlinear;
    if (site.name == "matmul") return parameter ? ChainStep::Kind::matrix : ChainStep::Kind::shuffle;
    if (site.name == "add_bias") return ChainStep::Kind::bias;
    if (site.name == "multiply" && rows_alike(run, operand)) return ChainStep::Kind::scale;
    return ChainStep::Kind::other;
}

const RecordedTensor* kept(const IterationTensors& tensors, const std::string& name) {
    const RecordedTensor* found = tensors.find(name);
    return found && found->tensor.defined() ? found : nullptr;
}

template <class T> Dim count_changed(const Tensor& before, const Tensor& after) {
    Dim changed = 0;
    const T *a = before.data<T>(), *b = after.data<T>();
    for (Dim i = 0; i < before.elements(); ++i) changed += !(a[i] == b[i]); // a NaN counts
    return changed;
}

Dim changed_numbers(const Tensor& before, const Tensor& after) {
    const bool plain = before.contiguous() && after.contiguous() && before.dtype() == after.dtype();
    if (plain && before.dtype() == DType::f32) return count_changed<float>(before, after);
    if (plain && before.dtype() == DType::f64) return count_changed<double>(before, after);
    Dim changed = 0;
    for (Dim i = 0; i < before.elements(); ++i) changed += !(before.at(i) == after.at(i));
    return changed;
}

} // namespace

std::size_t LegalFolds::matrices() const {
    std::size_t out = 0;
    for (const FoldGroup& group : groups) out += group.matrices;
    return out;
}

std::vector<ChainStep> chain_of(const Run& run) {
    const std::map<std::string, Role> roles = setup_roles(run);
    std::vector<ChainStep> out;
    for (const EventSite* site : forward_ops(run)) {
        if (site->inputs.empty() || site->outputs.empty() || site->inputs.size() > 2) continue;
        const std::string operand = site->inputs.size() > 1 ? site->inputs[1].name : std::string();
        const bool made = site->inputs.size() > 1 && site->inputs[1].when == TensorRef::When::same_iteration;
        if (made || (!out.empty() && site->inputs[0].name != out.back().output)) continue;
        const ChainStep::Kind kind = kind_of(*site, operand, roles, run);
        if (out.empty() && (kind != ChainStep::Kind::matrix || site->inputs[0].when != TensorRef::When::same_iteration)) continue;
        out.push_back({kind, site->name, operand, site->inputs[0].name, site->outputs[0].name,
                       site->inputs.size() > 1 ? site->inputs[1].shape : Shape(), site->ordinal});
    }
    return out;
}

std::optional<LegalFolds> legal_folds(const std::vector<ChainStep>& chain, const Run& run, StepIndex iteration) {
    const auto tensors = run.tensors_of(iteration);
    if (!tensors) return std::nullopt;
    LegalFolds out;
    FoldGroup group;
    const auto close = [&](std::size_t next) {
        if (group.matrices > 0) out.groups.push_back(group);
        group = {next, next};
    };
    for (std::size_t i = 0; i < chain.size(); ++i) {
        const ChainStep& step = chain[i];
        if (step.is_linear()) {
            group.last = i;
            group.bias |= step.kind == ChainStep::Kind::bias;
            if (step.kind != ChainStep::Kind::matrix) continue;
            if (group.matrices++ == 0) group.rows = step.shape[0];
            group.columns = step.shape[1];
            continue;
        }
        FoldBarrier barrier{i};
        const RecordedTensor *before = kept(*tensors, step.input), *after = kept(*tensors, step.output);
        if (!before || !after) return std::nullopt;
        barrier.elements = before->tensor.elements();
        const bool comparable = before->tensor.elements() == after->tensor.elements();
        barrier.changed = comparable ? changed_numbers(before->tensor, after->tensor) : barrier.elements;
        out.barriers.push_back(barrier);
        if (barrier.changed > 0) close(i + 1);
    }
    close(chain.size());
    return out;
}

} // namespace gradus
