#include "engine/trace/derive/gradient_flow.hpp"

#include "engine/trace/derive/activation_curve.hpp"
#include "engine/trace/derive/norm.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

std::vector<const EventSite*> op_sites(const Run& run, Phase phase) {
    std::vector<const EventSite*> out;
    for (std::size_t i = 0; i < run.sites().size(); ++i)
        if (run.sites()[i].level == Level::op && run.sites()[i].phase == phase) out.push_back(&run.sites()[i]);
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->ordinal < b->ordinal; });
    return out;
}

const RecordedTensor* before_update(const IterationTensors& tensors, const std::string& name) {
    for (const RecordedTensor& recorded : tensors.tensors)
        if (recorded.name == name && recorded.tensor.defined()) return &recorded;
    return nullptr;
}

// θ' stands in the same iteration as θ, after it, where an optimizer wrote it.
std::optional<UpdateRatio> update_of(const IterationTensors& tensors, const std::string& name) {
    const RecordedTensor* before = before_update(tensors, name);
    const RecordedTensor* after = before;
    for (const RecordedTensor& recorded : tensors.tensors)
        if (recorded.name == name && recorded.tensor.defined()) after = &recorded;
    if (!before || before == after || !before->tensor.shape().same_sizes(after->tensor.shape())) return std::nullopt;
    UpdateRatio out;
    out.before = l2_norm(before->tensor);
    double sum = 0;
    const auto add = [&sum](const auto* a, const auto* b, Dim count) {
        for (Dim i = 0; i < count; ++i) {
            const double moved = static_cast<double>(b[i]) - static_cast<double>(a[i]);
            sum += moved * moved;
        }
    };
    const Tensor &a = before->tensor, &b = after->tensor;
    const bool plain = a.contiguous() && b.contiguous() && a.dtype() == b.dtype();
    if (plain && a.dtype() == DType::f32) add(a.data<float>(), b.data<float>(), a.elements());
    else if (plain && a.dtype() == DType::f64) add(a.data<double>(), b.data<double>(), a.elements());
    else
        for (Dim i = 0; i < a.elements(); ++i) sum += (b.at(i) - a.at(i)) * (b.at(i) - a.at(i));
    out.step = std::sqrt(sum);
    return out;
}

const RecordedTensor* kept(const IterationTensors& tensors, const GradientSite& site) {
    const RecordedTensor* found = site.name.empty() ? nullptr : tensors.find(site.name);
    return found && found->tensor.defined() ? found : nullptr;
}

} // namespace

std::vector<GradientLayer> gradient_layers(const Run& run) {
    const auto backward = op_sites(run, Phase::backward);
    std::vector<GradientLayer> layers;
    std::vector<std::string> written, placed;
    const auto place = [&](const std::string& module, const std::string& value, GradientKind kind) {
        if (std::find(placed.begin(), placed.end(), value) != placed.end()) return;
        for (const EventSite* site : backward)
            for (const OutputInfo& output : site->outputs) {
                if (output.name != "d" + value || output.role != Role::gradient) continue;
                if (layers.empty() || layers.back().module != module) layers.push_back({module, {}});
                const bool bias = kind == GradientKind::weight && output.shape.rank() < 2;
                layers.back().gradients[static_cast<std::size_t>(bias ? GradientKind::bias : kind)] = {
                    value, output.name, site->formula, site->name, output.shape};
                placed.push_back(value);
                return;
            }
    };
    for (const EventSite* site : op_sites(run, Phase::forward)) {
        for (const TensorRef& ref : site->inputs)
            if (std::find(written.begin(), written.end(), ref.name) == written.end())
                place(site->module, ref.name, GradientKind::weight);
        const bool activation = is_activation(site->name);
        for (const OutputInfo& output : site->outputs) {
            written.push_back(output.name);
            place(site->module, output.name, activation ? GradientKind::activation : GradientKind::preactivation);
        }
    }
    std::reverse(layers.begin(), layers.end());
    return layers;
}

std::vector<GradientNorms> gradient_norms(const std::vector<GradientLayer>& layers, const IterationTensors& tensors) {
    std::vector<GradientNorms> out(layers.size());
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        for (std::size_t kind = 0; kind < gradient_kinds; ++kind)
            if (const RecordedTensor* found = kept(tensors, layers[layer].gradients[kind]))
                out[layer][kind] = l2_norm(found->tensor);
    return out;
}

std::vector<LayerFlow> gradient_flow(const std::vector<GradientLayer>& layers, const IterationTensors& tensors) {
    const std::vector<GradientNorms> norms = gradient_norms(layers, tensors);
    std::vector<LayerFlow> out(layers.size());
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        out[layer].norms = norms[layer];
        for (std::size_t kind = 0; kind < gradient_kinds; ++kind)
            if (const RecordedTensor* found = kept(tensors, layers[layer].gradients[kind]))
                out[layer].sizes[kind] = log_histogram(found->tensor);
        for (const GradientKind kind : {GradientKind::weight, GradientKind::bias})
            if (const GradientSite& site = layers[layer].of(kind); !site.value.empty())
                out[layer].updates[static_cast<std::size_t>(kind)] = update_of(tensors, site.value);
    }
    return out;
}

} // namespace gradus
