#include "views/activation/activation_model.hpp"

#include "engine/core/element_index.hpp"
#include "engine/core/error.hpp"
#include "engine/trace/derive/run_device.hpp"
#include "views/activation/activation_geometry.hpp"

#include <algorithm>

namespace gradus {

namespace {

constexpr std::size_t grid_points = 321; // one every 0.025: about one per pixel of a small plot, and one at 0

std::vector<const EventSite*> forward_ops(const Run& run) {
    std::vector<const EventSite*> out;
    for (std::size_t i = 0; i < run.sites().size(); ++i) {
        const EventSite& site = run.sites()[i];
        if (site.level == Level::op && site.phase == Phase::forward && !site.inputs.empty() && !site.outputs.empty()) out.push_back(&site);
    }
    std::stable_sort(out.begin(), out.end(), [](const EventSite* a, const EventSite* b) { return a->ordinal < b->ordinal; });
    return out;
}

const EventSite* maker_of(const std::vector<const EventSite*>& ops, const std::string& tensor) {
    for (const EventSite* site : ops)
        if (site->outputs[0].name == tensor) return site;
    return nullptr;
}

/// The index of z that an element of `tensor` means, where z is made by `site`: of the sum without its bias, of the bias, of
/// the weight. Nothing for a tensor that is none of them; an empty index for a whole one.
std::optional<std::vector<Dim>> index_of_z(const std::vector<const EventSite*>& ops, const std::string& z, const std::string& tensor,
                                           const std::vector<Dim>& element) {
    if (tensor == z || tensor == "d" + z) return element;
    const EventSite* site = maker_of(ops, z);
    if (!site || site->inputs.size() < 2) return std::nullopt;
    const bool biased = site->name == "add_bias", product = site->name == "matmul";
    if (!biased && !product) return std::nullopt;
    const std::string &first = site->inputs[0].name, &second = site->inputs[1].name;
    if (tensor == second || tensor == "d" + second) {
        if (element.size() != (biased ? 1U : 2U)) return std::vector<Dim>{};
        return std::vector<Dim>{0, element.back()};
    }
    return biased ? index_of_z(ops, first, tensor, element) : std::nullopt;
}

} // namespace

std::vector<ActivationUse> activation_uses(const Run& run) {
    std::vector<ActivationUse> out;
    const auto names = activation_ops();
    for (const EventSite* site : forward_ops(run)) {
        const auto at = std::find(names.begin(), names.end(), site->name);
        if (at == names.end()) continue;
        out.push_back({static_cast<std::size_t>(at - names.begin()), site->module, site->inputs[0].name, site->outputs[0].name, site->outputs[0].dtype});
    }
    return out;
}

ActivationChoice activation_choice(const Run& run, const std::vector<ActivationUse>& uses, const Selection& selection) {
    ActivationChoice out;
    const std::string& tensor = selection.tensor;
    if (tensor.empty() || uses.empty()) return out;
    const auto ops = forward_ops(run);
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const bool result = tensor == uses[i].a || tensor == "d" + uses[i].a;
        const auto index = result ? std::optional(selection.element) : index_of_z(ops, uses[i].z, tensor, selection.element);
        if (!index) continue;
        out.use = i;
        out.index = *index;
        return out;
    }
    for (const EventSite* site : ops) { // a layer's own tensor, and no activation in that layer
        const bool sum = site->name == "add_bias" || site->name == "matmul";
        const bool own = site->outputs[0].name == tensor || (site->inputs.size() > 1 && site->inputs[1].name == tensor);
        if (!sum || !own || !site->module.starts_with("layer")) continue;
        if (std::none_of(uses.begin(), uses.end(), [&](const ActivationUse& use) { return use.module == site->module; })) out.bare = site->module;
    }
    return out;
}

ActivationCurves::ActivationCurves(const std::string& isa, DType dtype) : device_(run_device(isa)) {
    const std::vector<double> grid = even_grid(ActivationGeometry::least_z, ActivationGeometry::most_z, grid_points);
    for (const std::string_view op : activation_ops()) curves_.push_back(activation_curve(op, grid, device_, dtype));
}

std::optional<ActivationPoint> ActivationCurves::point(const ActivationUse& use, const std::vector<Dim>& index, const IterationTensors& tensors) const {
    const RecordedTensor *z = tensors.find(use.z), *a = tensors.find(use.a);
    if (index.empty() || !z || !a || !z->tensor.defined() || !a->tensor.defined()) return std::nullopt;
    const auto of_z = place_of(z->tensor.shape(), index), of_a = place_of(a->tensor.shape(), index);
    if (!of_z || !of_a) return std::nullopt;
    ActivationPoint out{use, index, z->tensor.at(*of_z), a->tensor.at(*of_a), 0};
    const double argument[] = {out.z};
    out.slope = activation_curve(activation_ops()[use.op], argument, device_, z->tensor.dtype()).slope[0];
    return out;
}

} // namespace gradus
